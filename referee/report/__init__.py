"""Read-only accounts of matches, for people."""
