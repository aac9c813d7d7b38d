"""What an observer was told, byte for byte, but for heads and headers: those differ, and hide behind blinds."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from unoduo.v1 import referee_service_pb2 as pb
from unoduo.v1 import session_pb2

from tests.leaks.wires import Stream, Told


class Transcript:
    """Holds what was told on each channel, in its order."""

    def __init__(self) -> None:
        self.channels: dict[str, list[bytes]] = defaultdict(list)

    def note(self, channel: str, told: Told) -> None:
        """Takes what came of a call."""
        call = channel.split()[-1]
        self.channels[channel] += [masked(call, message) for message in told.messages]
        self.channels[channel] += [told.status] if told.status is not None else []

    def note_stream(self, channel: str, call: str, stream: Stream) -> None:
        """Takes all that came on a stream, item by item: how they were batched tells of the load alone."""
        for message in stream.messages:
            pieces = items_of(message) if call == "Play" else (message,)
            self.channels[channel] += [masked(call, piece) for piece in pieces]
        self.channels[channel].append(stream.status or b"")

    @property
    def size(self) -> int:
        """Returns how many bytes it has."""
        return sum(len(piece) for pieces in self.channels.values() for piece in pieces)


def items_of(message: bytes) -> Iterator[bytes]:
    """Yields the items of a response as they came, each as a response of one item."""
    place = 0
    while place < len(message):
        start, size, shift = place, 0, 0
        assert message[place] == 0x0A
        while True:
            place += 1
            size |= (message[place] & 0x7F) << shift
            shift += 7
            if message[place] < 0x80:
                break
        place += 1 + size
        yield message[start:place]


def masked(call: str, message: bytes) -> bytes:
    """Returns a message with zeros in place of each head and header."""
    for secret in _heads(call, message):
        if secret:
            message = message.replace(secret, bytes(len(secret)))
    return message


def _heads(call: str, message: bytes) -> Iterable[bytes]:
    if call == "Play":
        (item,) = session_pb2.PlayResponse.FromString(message).items
        return item.joined.header, item.ready_accepted.h0, item.observation.head, item.ended.head
    if call == "Act":
        step = pb.ActResponse.FromString(message)
        return step.joined.header, step.ready_accepted.h0, step.observation.head, step.ended.head
    if call == "WatchMatch":
        watched = pb.WatchMatchResponse.FromString(message)
        return watched.header, watched.head, watched.ended.head
    return ()
