"""What a store can answer instead of doing as it was told."""


class StoreError(Exception):
    """Is the root of all errors of a store."""


class StoreUnavailable(StoreError):
    """Tells that the store cannot be opened: the place, its rights or its content do not allow it."""


class StoreLocked(StoreUnavailable):
    """Tells that another process (or another store of this one) owns the directory."""


class StoreVersion(StoreUnavailable):
    """Tells that the directory was written under another schema version."""

    def __init__(self, found: int, wanted: int) -> None:
        super().__init__(f"the store has schema version {found}, this referee reads version {wanted}")
        self.found = found
        self.wanted = wanted


class StoreRefused(StoreError):
    """Is the family of refusals that concern one write alone; everything else goes on."""


class WrongIndex(StoreRefused):
    """Tells that an entry does not follow the last one of its match."""

    def __init__(self, number: int, expected: int, given: int) -> None:
        super().__init__(f"match {number}: the next entry is {expected}, not {given}")
        self.number = number
        self.expected = expected
        self.given = given


class WrongIndexHead(StoreRefused):
    """Tells that a record of the referee's index does not follow the head of that index."""

    def __init__(self, expected: bytes, given: bytes) -> None:
        super().__init__(f"the index head is {expected.hex()}, not {given.hex()}")
        self.expected = expected
        self.given = given


class WrongNumber(StoreRefused):
    """Tells that a new match does not have the next match number, or has an id that is taken."""


class WrongBot(StoreRefused):
    """Tells that the number and the name of a bot do not belong together."""

    def __init__(self, number: int, name: str) -> None:
        super().__init__(f"bot {number} is not {name!r}")
        self.number = number
        self.name = name


class UnknownMatch(StoreRefused):
    """Tells that no match has this number."""

    def __init__(self, number: int) -> None:
        super().__init__(f"there is no match {number}")
        self.number = number


class MatchSealed(StoreRefused):
    """Tells that a match has its seal already, so that nothing can be added to it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"match {number} is sealed")
        self.number = number


class UnknownDeal(StoreRefused):
    """Tells that no deal to share has this id."""

    def __init__(self) -> None:
        super().__init__("there is no such deal")


class DealClosed(StoreRefused):
    """Tells that a deal takes no more matches."""

    def __init__(self) -> None:
        super().__init__("the deal is closed")


class StoreGivenUp(StoreError):
    """Tells that a write could not be made within the limit of its retries (disk full, busy or read-only)."""


class StoreFatal(StoreError):
    """Tells that the store is broken: nothing was acknowledged since, and nothing is accepted any more."""


class StoreClosed(StoreError):
    """Tells that the store is closed or closing."""
