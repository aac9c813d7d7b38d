"""What chance has given in a match, as its replay tells."""

from pathlib import Path

from unoduo.v1 import log_pb2

from referee.log.file_format import EntryPart, read_parts


def dealt(file: Path) -> list[list[str]]:
    """Returns the cut, and for each round the cards that were offered and the starter; a pick takes two cards."""
    rounds: list[list[str]] = [[]]
    with file.open("rb") as stream:
        for part in read_parts(stream):
            for recorded in log_pb2.Entry.FromString(part.data).events if isinstance(part, EntryPart) else ():
                kind = recorded.event.WhichOneof("kind")
                if kind == "round_started":
                    rounds.append([])
                if kind in ("cut", "starter_turned"):
                    rounds[-1].append(f"{kind} {recorded.event.cut} {recorded.event.starter_turned}")
                if kind == "draft_offered":
                    rounds[-1].append(f"offered {recorded.private_cards}")
    return rounds
