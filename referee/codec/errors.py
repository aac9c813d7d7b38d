"""What a message lacks or carries wrongly."""


class Malformed(Exception):
    """Reports a message that cannot be what it should be.

    `field` is the path of the wrong field in the names of the proto files, as in `play.cards[2]` or
    `ruleset.hand_size`; `message` says in a few words what is wrong with it.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


def join(path: str, field: str) -> str:
    """Returns the path of a field within what stands at `path`; an empty path is the message itself."""
    return f"{path}.{field}" if path else field
