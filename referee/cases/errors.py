"""Why a case cannot be run at all; that it fails is a result, not an error."""

from pathlib import Path


class BadCase(Exception):
    """Reports a file that is no case.

    `where` is the place in it, as in `steps[3].expect.handA`, empty for the whole file; `message` says what is wrong.
    """

    def __init__(self, path: Path, where: str, message: str) -> None:
        super().__init__(f"{path}: {where}: {message}" if where else f"{path}: {message}")
        self.path = path
        self.where = where
        self.message = message


class NoCases(Exception):
    """Reports a path at which there are no cases to run."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


class ShapeError(Exception):
    """Reports a value that stands where the format of cases does not allow it."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message
