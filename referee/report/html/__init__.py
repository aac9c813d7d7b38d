"""A match as one page for a browser: templates beside the code that fills them."""
