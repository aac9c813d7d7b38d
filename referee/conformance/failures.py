"""What a check finds wrong, and what keeps the kit from checking at all."""


class Flaw(Exception):
    """Tells in a line what a client did instead of what was expected; it fails the check."""


class KitError(Exception):
    """Tells in a line why nothing can be checked, such as a command that cannot be started."""
