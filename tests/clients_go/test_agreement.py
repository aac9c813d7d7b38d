"""Both verifiers say the same of vectors, golden replays, and fresh and mutated replays.

Where a rule of the game must be known, the Go verifier says nothing by design; then it may only not be ahead of the
other: it finds nothing before the part that the rules blame.
"""

import re
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from itertools import cycle, islice, product
from pathlib import Path
from random import Random

import pytest
from unoduo.v1 import log_pb2, match_pb2

from referee.adjudication.errors import Check as RulingCheck
from referee.audit.index import Index, verify_index
from referee.audit.report import Check, Report
from referee.audit.signatures import SigningKey
from referee.audit.verify import SIGNER_UNKNOWN, Evidence, verify
from referee.codec.seals import IndexRecord, IndexVoid
from referee.rules.ruleset import Piles, Ruleset
from tests.audit.chained import index_file, index_of, records_of, signed_matches
from tests.audit.simulated import random_match, troubled_match
from tests.clients_go.conftest import SOURCE, GoVerify, Verdict
from tests.clients_go.mutations import MUTATIONS, pieces_of
from tests.golden.make import FOLDER, SUFFIX
from tests.log.vectors import Case, cases, named, unhex

GOLDEN = sorted(FOLDER.glob("*" + SUFFIX))
# What both judge, so that they must name the same part for the same reason.
WITHOUT_RULES = {"FILE", "ENCODING", "INDEX", "SEQUENCE", "FINAL_HEAD", "OUTCOME", "COMMITMENT", "DEAL_ID"} | {
    "SIGNATURE",
    "NUMBERS",
    "MATCH",
}
# What Go finds in cards and entropy, and the other by the rules, so that it may name an earlier part or another reason.
OF_CARDS = {"LIFECYCLE", "ENTROPY", "EVENTS", "PRIVATE_PART"}
# What Go does not check at all: the rules, the consequences of faults, the master file of a tournament, journals.
LEFT_OUT = (
    {"ILLEGAL_ACTION", "TRY_CLAUSE", "TRIES", "DECISION", "SEAT", "CLOCK", "STARTUP_GRACE", "ABSENCE", "VOID"}
    | {"MASTER"}
    | {"JOURNAL", "HEADER", "HEAD", "OBSERVED", "VIEW", "ACTION", "RESULT"}
)
# Bytes of a replay to edit: longer ones show nothing more.
LONGEST = 30_000
# Edits that leave a file right or whole now and then, or change what only the rules know.
MAY_PASS = {
    "ended_after_a_part",
    "entries_swapped_and_chained",
    "entry_removed_and_chained",
    "entry_inserted_and_chained",
    "entry_edited_and_chained",
    "message_edited_and_chained",
    "header_edited",
    "header_changed",
    "seed_exchanged_and_committed",
}

Edit = Callable[[log_pb2.RecordedEvent], object]


def verdict_of(report: Report) -> tuple[str, str | None, str | None]:
    return report.status.value, report.part, report.check


def told(verdict: Verdict) -> tuple[str, str | None, str | None]:
    return verdict["status"], verdict["part"], verdict["check"]


def place(part: str) -> int:
    """Returns a number that orders the parts of a file."""
    fixed = {"file head": -2, "header": -1, "seal": 10**8, "reveal": 10**8 + 1, "index": 10**8 + 2}
    return fixed[part] if part in fixed else int(part.removeprefix("entry "))


def agree(report: Report, verdict: Verdict) -> bool:
    """Returns whether both say the same, or differ in what only the rules tell."""
    if verdict_of(report) == told(verdict):
        return True
    if report.part is None or report.check in WITHOUT_RULES:
        return False
    return verdict["status"] != "wrong" or place(verdict["part"]) >= place(report.part)


def written(folder: Path, files: list[bytes]) -> list[Path]:
    paths = [folder / f"{number}{SUFFIX}" for number in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    return paths


def test_go_makes_all_checks_but_those_that_its_readme_leaves_out() -> None:
    checks = {*Check, *RulingCheck}
    assert checks == WITHOUT_RULES | OF_CARDS | LEFT_OUT
    sources = [path for path in SOURCE.glob("cmd/verify/*.go") if not path.name.endswith("_test.go")]
    said = {name for path in sources for name in re.findall('"([A-Z]+(?:_[A-Z]+)*)"', path.read_text(encoding="utf-8"))}
    assert said & checks == WITHOUT_RULES | OF_CARDS
    left_out = (SOURCE / "README.md").read_text(encoding="utf-8").split("It never finds ")[1].split(".\n")[0]
    assert set(re.findall("`([A-Z_]+)`", left_out)) == LEFT_OUT


@pytest.mark.parametrize("case", **named("log/replays.json"))
def test_go_judges_the_vectors_as_they_say(case: Case, go_verify: GoVerify, tmp_path: Path) -> None:
    options = []
    if "key" in case:
        options += ["--key", case["key"]]
    if "index" in case:
        (tmp_path / "index").write_bytes(unhex(case["index"]))
        options += ["--index", str(tmp_path / "index")]
    (verdict,) = go_verify(written(tmp_path, [unhex(case["file"])]), *options)
    assert told(verdict) == (case["status"], case.get("part"), case.get("check"))


@pytest.mark.parametrize(
    "case",
    [case for case in cases("log/masters.json") if case.get("check") == "MASTER"],
    ids=lambda case: str(case["name"]),
)
def test_what_only_a_master_file_tells_is_right_for_go(case: Case, go_verify: GoVerify, tmp_path: Path) -> None:
    data = unhex(case["file"])
    (verdict,) = go_verify(written(tmp_path, [data]))
    assert told(verdict) == verdict_of(verify(BytesIO(data))) == ("ok", None, None)
    is_shared = log_pb2.Header.FromString(pieces_of(data).header).deal_mode == match_pb2.DEAL_MODE_SHARED
    assert any("only a master file tells" in text for text in verdict["not_proven"]) == is_shared


def test_both_read_the_same_of_golden_replays(go_verify: GoVerify) -> None:
    for path, verdict in zip(GOLDEN, go_verify(GOLDEN), strict=True):
        report = verify(BytesIO(path.read_bytes()))
        assert report.h0
        assert report.final_head
        assert told(verdict) == verdict_of(report) == ("ok", None, None)
        assert (verdict["h0"], verdict["final_head"]) == (report.h0.hex(), report.final_head.hex())
        counts = report.number, report.entries, report.actions, report.sequence
        assert tuple(verdict[key] for key in ("number", "entries", "actions", "sequence")) == counts
        assert report.outcome
        assert verdict["outcome"]["termination"] == report.outcome.termination.name
        assert verdict["outcome"]["totals"] == list(report.outcome.totals)


def originals() -> list[bytes]:
    """Returns right replays: golden ones, and fresh ones of both ways to treat the piles."""
    short = Ruleset(target=1), Ruleset(target=1, piles=Piles.SHUFFLE, hand_size=20)
    fresh = [
        make(seed, ruleset).to_bytes()
        for seed, ruleset, make in product(range(12), short, (random_match, troubled_match))
    ]
    right = fresh + [path.read_bytes() for path in GOLDEN]
    return [data for data in right if len(data) < LONGEST]


@pytest.mark.parametrize(
    "count",
    [1_020, pytest.param(10_200, marks=[pytest.mark.slow, pytest.mark.timeout(600)])],
)
def test_both_say_the_same_of_fresh_and_mutated_replays(count: int, go_verify: GoVerify, tmp_path: Path) -> None:
    dice, right = Random(count), originals()
    names = list(islice(cycle(MUTATIONS), count))
    files = right + [MUTATIONS[name](dice, dice.choice(right)) for name in names]
    paths = written(tmp_path, files)
    seen: Counter[tuple[str, str]] = Counter()
    verdicts = [verdict for start in range(0, len(paths), 500) for verdict in go_verify(paths[start : start + 500])]
    for name, data, verdict in zip(["none"] * len(right) + names, files, verdicts, strict=True):
        report = verify(BytesIO(data))
        assert agree(report, verdict), (name, report.part, report.check, report.message, verdict)
        seen[name, verdict["status"]] += 1
    assert seen["none", "ok"] == len(right)
    for name in MUTATIONS:
        assert seen[name, "wrong"] or name == "ended_after_a_part", name
        if name not in MAY_PASS and name != "cut_short":
            assert not seen[name, "ok"] + seen[name, "incomplete"], name


def another(card: int) -> int:
    return card % 54 + 1


def other_cut(event: log_pb2.RecordedEvent) -> None:
    event.event.cut.card_b = another(event.event.cut.card_b)  # type: ignore[assignment]


def other_private_card(event: log_pb2.RecordedEvent) -> None:
    event.private_cards[0] = another(event.private_cards[0])  # type: ignore[call-overload]


def to_the_other_seat(event: log_pb2.RecordedEvent) -> None:
    event.private_to = 3 - event.private_to  # type: ignore[assignment]


def other_discard(event: log_pb2.RecordedEvent) -> None:
    event.event.draft_done.discarded = another(event.event.draft_done.discarded)  # type: ignore[assignment]


def other_starter(event: log_pb2.RecordedEvent) -> None:
    event.event.starter_turned.card = another(event.event.starter_turned.card)  # type: ignore[assignment]


def card_more_in_the_pile(event: log_pb2.RecordedEvent) -> None:
    kind = getattr(event.event, event.event.WhichOneof("kind") or "")
    kind.draw_count += 1


def shown_to_a_seat(event: log_pb2.RecordedEvent) -> None:
    event.private_to = 1  # type: ignore[assignment]
    event.private_cards.append(1)  # type: ignore[arg-type]


def other_entropy(event: log_pb2.RecordedEvent) -> None:
    event.event.deal_sealed.entropy_2 += b"!"


CARD_EDITS: tuple[tuple[str, Edit], ...] = (
    ("deal_sealed", other_entropy),
    ("cut", other_cut),
    ("cut", shown_to_a_seat),
    ("draft_offered", other_private_card),
    ("draft_offered", to_the_other_seat),
    ("draft_done", other_private_card),
    ("draft_done", other_discard),
    ("starter_turned", other_starter),
    ("starter_turned", card_more_in_the_pile),
    ("cards_drawn", other_private_card),
    ("cards_drawn", to_the_other_seat),
    ("cards_played", shown_to_a_seat),
    ("recycled", card_more_in_the_pile),
)


def other_color(event: log_pb2.RecordedEvent) -> None:
    event.event.turn_started.color = event.event.turn_started.color % 4 + 1  # type: ignore[assignment]


def card_left_unseen(event: log_pb2.RecordedEvent) -> None:
    event.event.cards_played.left += 1


def points_too_many(event: log_pb2.RecordedEvent) -> None:
    event.event.round_ended.points_a += 1


RULES_EDITS: tuple[tuple[str, Edit], ...] = (
    ("turn_started", other_color),
    ("cards_played", card_left_unseen),
    ("round_ended", points_too_many),
    ("challenged", other_private_card),
)


def edited(path: Path, kind: str, edit: Edit) -> bytes:
    """Returns a replay with an event of a kind edited, the last one, and its heads and seal made right again."""
    pieces = pieces_of(path.read_bytes())
    entries = [log_pb2.Entry.FromString(data) for data in pieces.entries]
    event = [event for entry in entries for event in entry.events if event.event.WhichOneof("kind") == kind][-1]
    edit(event)
    data = tuple(entry.SerializeToString(deterministic=True) for entry in entries)
    assert data != pieces.entries
    return type(pieces)(pieces.header, data, pieces.seal, pieces.reveal).resealed().to_bytes()


@pytest.mark.parametrize("name", ["piles-shuffle", "duo-random-random"])
@pytest.mark.parametrize(
    ("kind", "edit"), CARD_EDITS, ids=lambda value: value if isinstance(value, str) else value.__name__
)
def test_both_name_a_card_that_is_not_that_of_the_deal(
    name: str, kind: str, edit: Edit, go_verify: GoVerify, tmp_path: Path
) -> None:
    data = edited(FOLDER / (name + SUFFIX), kind, edit)
    (verdict,) = go_verify(written(tmp_path, [data]))
    assert verdict["status"] == "wrong"
    assert told(verdict) == verdict_of(verify(BytesIO(data)))


@pytest.mark.parametrize(
    ("kind", "edit"), RULES_EDITS, ids=lambda value: value if isinstance(value, str) else value.__name__
)
def test_what_only_the_rules_tell_is_right_for_go(kind: str, edit: Edit, go_verify: GoVerify, tmp_path: Path) -> None:
    data = edited(FOLDER / f"duo-random-random{SUFFIX}", kind, edit)
    (verdict,) = go_verify(written(tmp_path, [data]))
    assert verdict["status"] == "ok"
    assert not verdict["judged"]
    report = verify(BytesIO(data))
    assert report.status.value == "wrong"
    assert report.check not in WITHOUT_RULES


def test_both_say_the_same_with_key_and_index(go_verify: GoVerify, tmp_path: Path) -> None:
    dice, key = Random(7), SigningKey.generate()
    logs = signed_matches(key)
    index = index_of(logs, key)
    right = [log.to_bytes() for log in logs]
    names = list(islice(cycle(MUTATIONS), 2 * len(MUTATIONS)))
    files = [*right, *(MUTATIONS[name](dice, dice.choice(right)) for name in names)]
    place_of_file = tmp_path / "index"
    found = Counter[str]()
    for edited in (index, *(flipped(index, dice) for _ in range(6)), index[:-65], index[:-1]):
        place_of_file.write_bytes(edited)
        evidence = Evidence(key.public, Index(BytesIO(edited), key.public))
        verdicts = go_verify(written(tmp_path, files), "--key", key.public.hex(), "--index", str(place_of_file))
        for data, verdict in zip(files, verdicts, strict=True):
            report = verify(BytesIO(data), evidence)
            assert agree(report, verdict), (report, verdict)
            if verdict_of(report) == told(verdict):
                assert (SIGNER_UNKNOWN in report.not_proven) == (SIGNER_UNKNOWN in verdict["not_proven"])
            found[f"{verdict['part'] or ''} {verdict['check']}".split()[0]] += 1
    assert found["index"] >= len(right)
    assert found["seal"] > 0


def test_both_say_the_same_of_an_index_alone(go_verify: GoVerify, tmp_path: Path) -> None:
    dice, key, other = Random(8), SigningKey.generate(), SigningKey.generate().public
    logs = signed_matches(key, range(1, 14))
    whole, unsigned = index_of(logs, key), index_of(logs)
    begun = index_file(records_of(logs)[::2], key)
    of_no_match = index_file([IndexRecord(0, IndexVoid())], key)
    edited = [flipped(whole, dice) for _ in range(40)] + [whole[:size] for size in range(0, len(whole), 97)]
    path = tmp_path / "index"
    seen: Counter[str] = Counter()
    for data in (whole, begun, unsigned, of_no_match, *edited):
        path.write_bytes(data)
        for public in (None, key.public, other):
            report = verify_index(Index(BytesIO(data), public))
            known = () if public is None else ("--key", public.hex())
            (verdict,) = go_verify([], "--index", str(path), *known)
            assert told(verdict) == verdict_of(report), report
            assert verdict["not_proven"] == list(report.not_proven)
            seen[verdict["status"]] += 1
    assert len(seen) == 3


def flipped(data: bytes, dice: Random) -> bytes:
    edited = bytearray(data)
    edited[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return bytes(edited)
