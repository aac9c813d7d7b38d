"""The golden logs are as they were, every program proves them, and they hold all that can happen in a match."""

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import get_args

import pytest
from unoduo_client.baselines import BASELINES

from referee.adjudication.inputs import ActionTaken, InputKind
from referee.adjudication.rulings import DealSealed, MatchEvent, Resumed, ResumeReason, Ruling
from referee.adjudication.terms import DealMode
from referee.audit.master import NO_MASTER
from referee.audit.replay import replay
from referee.audit.report import Status
from referee.audit.verify import JOURNALS_ONLY, NO_INDEX, SIGNER_UNKNOWN, verify
from referee.codec.entries import Entry
from referee.rules.actions import Action
from referee.rules.errors import CLAUSE, Reason
from referee.rules.events import CardsDrawn, DrawReason, Event, Fact, RoundEnded, RoundEndReason
from referee.rules.outcome import Termination
from referee.rules.ruleset import VARIANTS, Ruleset
from tests.golden import make
from tests.golden.plans import PLANS

# What the seat that is not asked sends, or a match that is not played, never reaches an entry.
UNLOGGED = {Reason.MATCH_NOT_RUNNING, Reason.NOT_YOUR_DECISION}


def lines_of(text: str) -> dict[str, str]:
    """Returns the second part of each line by the first."""
    return dict(line.split(maxsplit=1) for line in text.splitlines())


DIGESTS = {name.removesuffix(make.SUFFIX): digest for digest, name in lines_of(make.DIGESTS.read_text()).items()}
OUTCOMES = lines_of(make.OUTCOMES.read_text())
NAMES = sorted(DIGESTS)


def data_of(name: str) -> bytes:
    return (make.FOLDER / (name + make.SUFFIX)).read_bytes()


@cache
def entries() -> tuple[Entry, ...]:
    return tuple(entry for name in NAMES for entry in replay(BytesIO(data_of(name))).entries)


def events() -> Iterator[MatchEvent]:
    return (event for entry in entries() for event in entry.events)


def facts() -> Iterator[Fact]:
    return (event.fact for event in events() if isinstance(event, Event))


def test_golden_files_are_those_that_are_listed() -> None:
    files = sorted(path.stem for path in make.FOLDER.glob("*" + make.SUFFIX))
    assert files == NAMES == sorted(OUTCOMES) == sorted(PLANS)
    assert len(files) >= 40
    assert sum(len(data_of(name)) for name in files) < 4_000_000


@pytest.mark.parametrize("name", NAMES)
def test_golden_file_is_what_it_was(name: str) -> None:
    assert sha256(data_of(name)).hexdigest() == DIGESTS[name]


@pytest.mark.parametrize("name", NAMES)
def test_golden_file_is_proven(name: str) -> None:
    report = verify(BytesIO(data_of(name)))
    assert (report.status, report.part, report.message) == (Status.OK, None, "")
    assert report.judged
    shared = (NO_MASTER,) if name == "deal-shared" else ()
    assert report.not_proven == (SIGNER_UNKNOWN, JOURNALS_ONLY, NO_INDEX, *shared)
    assert report.outcome
    assert make.line_of(report.outcome) == OUTCOMES[name]


@pytest.mark.parametrize("name", NAMES)
def test_golden_match_played_again_gives_the_same_bytes(name: str) -> None:
    data, outcome = make.made(name)
    assert data == data_of(name), "if the change was meant, renew the files with `make golden`"
    assert make.line_of(outcome) == OUTCOMES[name]


def test_golden_matches_have_every_option() -> None:
    headers = [replay(BytesIO(data_of(name))).header for name in NAMES]
    rulesets = [header.ruleset for header in headers]
    assert set(VARIANTS.values()) <= set(rulesets)
    for field in fields(Ruleset):
        values = {getattr(ruleset, field.name) for ruleset in rulesets}
        if isinstance(field.default, Enum):
            assert values == set(type(field.default)), field.name
        else:
            assert len(values) > 1, field.name
    assert {header.deal_mode for header in headers} == set(DealMode)
    assert len({header.time_control for header in headers}) > 2
    assert len({header.fault_policy for header in headers}) > 4
    assert {player.bot for header in headers for player in header.players} == set(BASELINES)


def test_golden_matches_have_every_kind_of_input() -> None:
    kinds = [entry.input.kind for entry in entries()]
    assert {type(kind) for kind in kinds} == set(get_args(InputKind))
    assert {type(kind.action) for kind in kinds if isinstance(kind, ActionTaken)} == set(get_args(Action))


def test_golden_matches_have_every_kind_of_event() -> None:
    assert {type(fact) for fact in facts()} == set(get_args(Fact))
    assert {type(event) for event in events() if not isinstance(event, Event)} == set(get_args(Ruling))
    assert {fact.reason for fact in facts() if isinstance(fact, CardsDrawn)} == set(DrawReason)
    assert {fact.reason for fact in facts() if isinstance(fact, RoundEnded)} == set(RoundEndReason)
    assert {event.reason for event in events() if isinstance(event, Resumed)} == set(ResumeReason)
    assert {bool(event.entropy_1) for event in events() if isinstance(event, DealSealed)} == {False, True}


def test_golden_matches_have_a_try_against_every_clause() -> None:
    tried = {attempt.clause for entry in entries() for attempt in entry.tries}
    assert tried == {clause for reason, clause in CLAUSE.items() if reason not in UNLOGGED}


def test_golden_matches_end_in_every_way() -> None:
    outcomes = [line.split() for line in OUTCOMES.values()]
    assert {termination for _, termination, *_ in outcomes} == {termination.name for termination in Termination}
    assert {winner for winner, *_ in outcomes} == {"A", "B", "-"}
    assert {faulted for *_, faulted in outcomes} == {"A", "B", "AB", "-"}
