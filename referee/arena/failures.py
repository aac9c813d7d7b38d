"""What an organiser can set right."""


class ArenaError(Exception):
    """Tells in one sentence why a tournament cannot begin or go on."""


class SpecificationError(ArenaError):
    """Reports what is wrong in the file of a tournament: `key` is its dotted path, as in `players[1].command`."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key
        self.message = message
