"""Which bots have a seat in which unfinished match, and how they learn it (`PROTOCOL.md`, "A session")."""

from hmac import digest
from typing import Final

from referee.codec.headers import Header
from referee.match import answers
from referee.match.faults import ProblemReason
from referee.match.refusals import later
from referee.match.seats import SeatPort
from referee.rules.seats import SEATS, Seat
from referee.store.base import MatchRow, Secrets, Store
from referee.store.errors import StoreError

BOT_SEED_SIZE: Final = 32
_TAG: Final = b"unoduo/v1/bot-seed\0"


def bot_seed(salt: bytes, seat: Seat) -> bytes:
    """Returns the seed for the dice of the bot in a seat, 32 bytes, from the salt of the match."""
    return digest(salt, _TAG + bytes([seat]), "sha256")


class Assignments:
    """Tells the sessions of a bot of its seats in unfinished matches: of those that there are, and of each new one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._matches: dict[str, dict[int, tuple[MatchRow, Header]]] = {}
        self._ports: dict[str, set[SeatPort]] = {}

    def add(self, row: MatchRow, header: Header) -> None:
        """Learns of a match that is not over."""
        for player in header.players:
            if player.bot:
                self._matches.setdefault(player.bot, {})[row.number] = row, header

    def remove(self, row: MatchRow, header: Header) -> None:
        """Learns that a match is over or given up."""
        for bot in {player.bot for player in header.players if player.bot}:
            matches = self._matches[bot]
            del matches[row.number]
            if not matches:
                del self._matches[bot]

    def announce(self, row: MatchRow, header: Header, secrets: Secrets) -> None:
        """Tells those whom it concerns of a match that was just made."""
        for bot in {player.bot for player in header.players if player.bot}:
            for port in self._ports.get(bot, ()):
                _tell(port, bot, row, header, secrets)

    async def follow(self, bot: str, port: SeatPort) -> None:
        """Tells a session of all matches of its bot, from now on until `leave`. Raises Fault."""
        self._ports.setdefault(bot, set()).add(port)
        for number, (row, header) in [*self._matches.get(bot, {}).items()]:
            try:
                secrets = await self._store.read_secrets(number)
            except StoreError:
                raise later(ProblemReason.STORE_UNAVAILABLE) from None
            if secrets is not None:
                _tell(port, bot, row, header, secrets)

    def is_followed(self, bot: str) -> bool:
        """Returns whether a session of the bot is told of its matches."""
        return bot in self._ports

    def leave(self, bot: str, port: SeatPort) -> None:
        """Tells a session nothing more."""
        ports = self._ports.get(bot, set())
        ports.discard(port)
        if not ports:
            self._ports.pop(bot, None)


def _tell(port: SeatPort, bot: str, row: MatchRow, header: Header, secrets: Secrets) -> None:
    for seat in SEATS:
        if header.players[seat].bot == bot:
            port.put(
                0, answers.assigned(row.match_id, seat, _given_seed(secrets, seat) or bot_seed(secrets.salt, seat))
            )


def _given_seed(secrets: Secrets, seat: Seat) -> bytes:
    return secrets.bot_seeds[seat * BOT_SEED_SIZE : (seat + 1) * BOT_SEED_SIZE]
