"""The organiser's calls: create matches, look at them, fetch replays (PROTOCOL.md section 1)."""

from __future__ import annotations

import errno
import os
from collections.abc import AsyncIterator, Awaitable, Sequence
from itertools import zip_longest
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import Self, TypeVar

import grpc.aio
from unoduo.v1 import match_pb2, referee_service_pb2, referee_service_pb2_grpc, ruleset_pb2, seat_pb2

from unoduo_client.channel import Security, credentials, opener
from unoduo_client.spectating import watch
from unoduo_client.status import referee_error

_Answer = TypeVar("_Answer")


class Organiser:
    """Calls the referee at `host:port` as an organiser; an async context manager.

    `token` names the organiser, `tls` is as for `connect`, `timeout` is the limit of each call in seconds. Every call
    raises RefereeError with the code, reason and field that the referee gave. Raises OSError if the root certificates
    cannot be read.
    """

    def __init__(self, address: str, token: str | None = None, *, tls: Security = None, timeout: float = 30.0) -> None:
        self._address = address
        self._token = token
        self._tls = tls
        self._channel = opener(address, tls)()
        self._stub = referee_service_pb2_grpc.RefereeServiceStub(self._channel)
        self._metadata = credentials(token)
        self._timeout = timeout

    async def __aenter__(self) -> Self:
        """Returns the organiser itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the connection."""
        await self.close()

    async def close(self) -> None:
        """Closes the connection."""
        await self._channel.close()

    async def create_match(
        self,
        players: Sequence[str],
        *,
        ruleset: ruleset_pb2.Ruleset | None = None,
        time_control: match_pb2.TimeControl | None = None,
        fault_policy: match_pb2.FaultPolicy | None = None,
        seed: bytes | None = None,
        deal_id: bytes | None = None,
        replaces_number: int = 0,
        bots: Sequence[str] = ("", ""),
        bot_seeds: Sequence[bytes] = (),
    ) -> referee_service_pb2.CreateMatchResponse:
        """Creates a match of two named players, seats A and B, and returns its id, header and tokens.

        The deal is fresh unless a `seed` of 32 bytes is given, or the `deal_id` of one to share (`create_deal`).
        `replaces_number` is the void match played again. `bots` names the bots to which the seats are assigned, as the
        referee knows them (`revoke_bot_token`); empty for none. `bot_seeds` are what `Assigned.bot_seed` is to be for
        the two seats, 32 bytes each. Raises ValueError for a seed and a deal.
        """
        if seed is not None and deal_id is not None:
            raise ValueError("a match has a seed or a deal to share, not both")
        request = referee_service_pb2.CreateMatchRequest(
            ruleset=ruleset,
            time_control=time_control,
            fault_policy=fault_policy,
            players=[match_pb2.Player(name=name, bot=bot) for name, bot in zip_longest(players, bots[: len(players)])],
            replaces_number=replaces_number,
            bot_seeds=bot_seeds,
        )
        if deal_id is not None:
            request.deal_id = deal_id
        elif seed is not None:
            request.seed = seed
        else:
            request.fresh.SetInParent()
        return await self._answer(self._stub.CreateMatch(request, metadata=self._metadata, timeout=self._timeout))

    async def create_deal(self, seed: bytes | None = None) -> bytes:
        """Makes a deal for matches to share and returns its id, 16 bytes (PROTOCOL.md section 8).

        Without a `seed` of 32 bytes the referee draws one. The deal of the same seed, if that is open, is the same.
        """
        request = referee_service_pb2.CreateDealRequest(seed=seed)
        answer = await self._answer(self._stub.CreateDeal(request, metadata=self._metadata, timeout=self._timeout))
        return answer.deal_id

    async def close_deal(self, deal_id: bytes) -> None:
        """Closes a deal: it takes no more matches, and is revealed when those that it has are over."""
        request = referee_service_pb2.CloseDealRequest(deal_id=deal_id)
        await self._answer(self._stub.CloseDeal(request, metadata=self._metadata, timeout=self._timeout))

    async def get_match(self, match_id: bytes) -> match_pb2.MatchSummary:
        """Returns where a match stands."""
        request = referee_service_pb2.GetMatchRequest(match_id=match_id)
        answer = await self._answer(self._stub.GetMatch(request, metadata=self._metadata, timeout=self._timeout))
        return answer.match

    async def list_matches(self, page_size: int = 0, *, after_number: int = 0) -> AsyncIterator[match_pb2.MatchSummary]:
        """Yields all matches by ascending number, from the one after `after_number`.

        They are fetched `page_size` at a time (0: the referee's choice).
        """
        token = str(after_number) if after_number else ""
        request = referee_service_pb2.ListMatchesRequest(page_size=page_size, page_token=token)
        while True:
            page = await self._answer(self._stub.ListMatches(request, metadata=self._metadata, timeout=self._timeout))
            for match in page.matches:
                yield match
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def watch(self, match_id: bytes) -> AsyncIterator[referee_service_pb2.WatchMatchResponse]:
        """Yields what spectators of a match are told, as `unoduo_client.watch` says."""
        return watch(self._address, match_id, self._token, tls=self._tls)

    async def void_match(self, match_id: bytes, reason: str = "") -> match_pb2.MatchSummary:
        """Declares a match void and returns where it stands; `reason` is public, at most 200 characters."""
        request = referee_service_pb2.VoidMatchRequest(match_id=match_id, reason=reason)
        answer = await self._answer(self._stub.VoidMatch(request, metadata=self._metadata, timeout=self._timeout))
        return answer.match

    async def revoke_seat_token(self, match_id: bytes, seat: seat_pb2.Seat.ValueType) -> str:
        """Revokes the token of a seat and returns the new one; whoever holds the seat by the old one is detached."""
        ref = referee_service_pb2.SeatTokenRef(match_id=match_id, seat=seat)
        return await self._revoke(referee_service_pb2.RevokeTokenRequest(seat=ref))

    async def revoke_spectator_token(self, match_id: bytes) -> str:
        """Revokes the spectators' token of a match and returns the new one."""
        return await self._revoke(referee_service_pb2.RevokeTokenRequest(spectator_match_id=match_id))

    async def revoke_bot_token(self, bot: str) -> str:
        """Revokes the token of a bot and returns the new one; a bot that is not known yet is made known by this."""
        return await self._revoke(referee_service_pb2.RevokeTokenRequest(bot=bot))

    async def index(self, page_size: int = 0) -> AsyncIterator[referee_service_pb2.GetIndexResponse]:
        """Yields the index of the referee's matches in pages (PROTOCOL.md section 9).

        Each has the next `page_size` records (0: the referee's choice) and the head behind them.
        """
        request = referee_service_pb2.GetIndexRequest(page_size=page_size)
        while True:
            page = await self._answer(self._stub.GetIndex(request, metadata=self._metadata, timeout=self._timeout))
            yield page
            request.after += len(page.records)
            if not page.records or request.after >= page.total:
                return

    async def replay_pages(self, match_id: bytes) -> AsyncIterator[bytes]:
        """Yields the replay file of a finished match in parts."""
        request = referee_service_pb2.GetReplayRequest(match_id=match_id)
        while True:
            page = await self._answer(self._stub.GetReplay(request, metadata=self._metadata, timeout=self._timeout))
            yield page.data
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def fetch_replay(self, match_id: bytes) -> bytes:
        """Returns the replay file of a finished match."""
        return b"".join([data async for data in self.replay_pages(match_id)])

    async def save_replay(self, match_id: bytes, path: Path) -> None:
        """Writes the replay file of a finished match; a file appears whole or not at all. Raises OSError too.

        A link is followed. What is there and no regular file is refused: renaming over a device would destroy it.
        """
        target = _target(path)
        part = target.with_name(f"unoduo-{token_hex(16)}.part")
        # Never one that is there: a link of somebody else would be followed.
        file = part.open("xb")
        try:
            with file:
                async for data in self.replay_pages(match_id):
                    file.write(data)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)

    async def _revoke(self, request: referee_service_pb2.RevokeTokenRequest) -> str:
        answer = await self._answer(self._stub.RevokeToken(request, metadata=self._metadata, timeout=self._timeout))
        return answer.new_token

    async def _answer(self, call: Awaitable[_Answer]) -> _Answer:
        try:
            return await call
        except grpc.aio.AioRpcError as error:
            raise referee_error(error, self._address) from None


def _target(path: Path) -> Path:
    """Returns the file that a path leads to, whether it is there or not. Raises OSError for what is no regular file."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        raise FileExistsError(errno.EEXIST, "it is no regular file", str(path))
    return path.resolve()
