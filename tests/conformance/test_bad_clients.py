"""Each check fails a client that has the flaw which it looks for."""

import json
import shlex
import sys

import pytest

from referee.conformance.catalogue import CHECKS
from tests.cli.command import unoduo
from tests.conformance.bad_client import FLAWS

BAD_CLIENT = f"{shlex.quote(sys.executable)} -m tests.conformance.bad_client"
# How long a client may do nothing before its check has failed, in seconds.
LIMIT = "5"

FLAWS_OF = {
    "match": ["lingers"],
    "phases": ["knows_no_color_phase"],
    "dumps": ["sorts_cards"],
    "zero-cards": ["drops_zero_cards"],
    "long-hand": ["holds_thirty_cards"],
    "tight-clock": ["thinks_too_long"],
    "assigned": ["joins_one_match_only", "fills_messages"],
    "rejected": ["ignores_rejection"],
    "no-tries-left": ["dies_at_once", "never_gives_up"],
    "stale": ["insists_on_accepted"],
    "result-twice": ["takes_any_result"],
    "result-late": ["takes_any_result"],
    "observation-twice": ["answers_everything"],
    "observation-late": ["answers_everything"],
    "frozen-join": ["ignores_retry_after", "gives_up_on_MATCH_FROZEN"],
    "frozen-ready": ["ignores_retry_after", "gives_up_on_MATCH_FROZEN"],
    "frozen-action": ["ignores_retry_after", "gives_up_on_MATCH_FROZEN"],
    "frozen-long": ["ignores_retry_after"],
    "inbox-full": ["gives_up_on_INBOX_FULL"],
    "let-go": ["takes_detached_for_the_end"],
    "drained": ["gives_up_on_DRAINING"],
    "cut-hello": ["never_connects_again"],
    "cut-join": ["never_connects_again"],
    "cut-joined": ["never_connects_again"],
    "cut-ready": ["draws_entropy_anew", "forgets_its_question"],
    "cut-ready-accepted": ["draws_entropy_anew"],
    "cut-observation": ["forgets_where_it_was"],
    "cut-decision": ["forgets_where_it_was"],
    "cut-action": ["renumbers", "forgets_its_question"],
    "cut-result": ["renumbers", "forgets_where_it_was"],
    "cut-told": ["forgets_where_it_was"],
    "cut-ended": ["never_connects_again"],
    "zero": ["drops_zero_values"],
    "closed": ["never_connects_again"],
    "draining": ["never_connects_again"],
    "slow-reader": ["never_connects_again"],
    "history": ["takes_history_for_the_view"],
    "restart": ["never_connects_again"],
    "early": ["never_connects_again"],
    "unknown-items": ["dies_of_unknown_items"],
    "unknown-events": ["dies_of_unknown_events"],
    "unknown-values": ["dies_of_unknown_values"],
    "unknown-view": ["dies_of_unknown_cards"],
    "unknown-fields": ["dies_of_unknown_fields"],
    "unknown-refusal": ["dies_of_unknown_refusals"],
    "unknown-staleness": ["insists_on_accepted"],
    "unknown-verdict": ["insists_on_accepted"],
    "unknown-termination": ["dies_of_unknown_ends"],
    "void": ["asks_who_won"],
    "void-meanwhile": ["never_connects_again"],
    "resigned": ["asks_for_points"],
    "replaced": ["dies_at_once", "fights_for_its_seat"],
    "revoked": ["dies_at_once", "comes_back_with_a_revoked_token"],
    "unknown-token": ["dies_at_once", "tries_any_token_again", "never_takes_no_for_an_answer"],
    "not-yours": ["dies_at_once", "tries_any_join_again"],
    "entropy-dropped": ["dies_at_once", "plays_without_its_entropy"],
    "entropy-changed": ["dies_at_once", "plays_without_its_entropy"],
    "given-deal": ["gives_entropy_always"],
    "forked": ["dies_at_once", "plays_in_a_forked_log"],
    "forked-head": ["dies_at_once", "plays_in_a_forked_log"],
    "forked-header": ["dies_at_once", "plays_in_a_forked_log"],
    "journal": ["keeps_half_a_journal"],
    "tls": ["speaks_no_tls"],
    "tls-untrusted": ["trusts_anybody"],
    "tls-other-name": ["trusts_anybody"],
    "tls-expired": ["trusts_anybody"],
    "tls-absent": ["speaks_no_tls"],
    "mute": ["sends_no_pings"],
    "quiet": ["pings_every_second"],
}
# A few of them for every day.
FAST = {"match", "zero-cards", "rejected", "cut-action", "unknown-values", "entropy-dropped"}


def test_every_check_has_a_client_that_fails_it() -> None:
    assert list(FLAWS_OF) == [check.name for check in CHECKS]
    assert {flaw for flaws in FLAWS_OF.values() for flaw in flaws} == set(FLAWS)


@pytest.mark.parametrize(
    ("check", "flaw"),
    [
        pytest.param(check, flaw, marks=pytest.mark.slow if check not in FAST else ())
        for check, flaws in FLAWS_OF.items()
        for flaw in flaws
    ],
)
def test_a_flaw_fails_its_check(check: str, flaw: str, tmp_path: object) -> None:
    run = unoduo(
        "conformance", "--bot", f"{BAD_CLIENT} {flaw}", "--only", check, "--timeout", LIMIT, "--json",
        env={"TMPDIR": str(tmp_path)}, timeout=110,
    )  # fmt: skip
    assert (run.code, run.err) == (1, "")
    result, score = map(json.loads, run.out.splitlines())
    assert (result["name"], result["ok"]) == (check, False)
    assert score == {"passed": 0, "checks": 1}
