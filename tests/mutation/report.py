"""Runs the mutation tests of the pure core, and fails for each mutant that no test notices and no comment explains.

    python -m tests.mutation.report [--jobs N] [PATTERN ...]

The parts and their tests stand in `pyproject.toml`. A mutant that no test can notice, because it does the same, has its
reason in the source line: `# mutant: reason`. Such a comment on a line whose mutants are all noticed fails too.
Patterns (`referee.rules.scoring*`) choose mutants; without one everything is made and run anew, which takes long.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_NOTE = "# mutant: "
# A mutant that never ends is noticed as well as one that fails a test.
_NOTICED = ("killed", "timeout")


@dataclass(frozen=True)
class Verdict:
    """Holds what a run says: the mutants with a reason, those without, and the reasons that excuse nothing."""

    explained: tuple[str, ...]
    unexplained: tuple[str, ...]
    idle_notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.unexplained and not self.idle_notes


def judge(alive: Mapping[str, str], notes: Iterable[str]) -> Verdict:
    """Returns the verdict over the mutants alive, given as name and diff, and the source lines with a reason."""
    used = {name: {line[1:].strip() for line in removed(diff) if _NOTE in line} for name, diff in alive.items()}
    return Verdict(
        explained=tuple(name for name, lines in used.items() if lines),
        unexplained=tuple(name for name, lines in used.items() if not lines),
        idle_notes=tuple(line for line in notes if not any(line in lines for lines in used.values())),
    )


def removed(diff: str) -> list[str]:
    """Returns the lines that a mutant changes, each behind its minus sign."""
    return [line for line in diff.splitlines() if line.startswith("-") and not line.startswith("---")]


def noted_lines(patterns: Iterable[str]) -> list[str]:
    """Returns the lines with a reason in the files that are mutated."""
    files = sorted({path for pattern in patterns for path in _ROOT.glob(f"{pattern}.py")})
    return [line.strip() for path in files for line in path.read_text().splitlines() if _NOTE in line]


def statuses(patterns: list[str]) -> dict[str, str]:
    """Returns name and status of the mutants that a pattern fits, of all without a pattern."""
    pairs = (line.strip().split(": ", 1) for line in _mutmut("results", "--all", "true").splitlines())
    return {name: status for name, status in pairs if not patterns or any(fnmatch(name, p) for p in patterns)}


def main() -> int:
    """Returns 0 if each mutant is noticed or explained, else 1; so too if mutmut cannot run or a pattern fits none."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.report", description="Runs the mutation tests.")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="mutants tried at once")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="mutants to try, as referee.rules.scoring*")
    options = parser.parse_args()
    if not options.patterns:
        shutil.rmtree(_ROOT / "mutants", ignore_errors=True)
    run = [sys.executable, "-m", "mutmut", "run", "--max-children", str(options.jobs), *options.patterns]
    if subprocess.run(run, cwd=_ROOT).returncode:
        return 1

    found = statuses(options.patterns)
    alive = {name: _mutmut("show", name) for name, status in found.items() if status not in _NOTICED}
    mutated = tomllib.loads((_ROOT / "pyproject.toml").read_text())["tool"]["mutmut"]["only_mutate"]
    verdict = judge(alive, [] if options.patterns else noted_lines(mutated))
    for name in verdict.unexplained:
        print(alive[name])
    for line in verdict.idle_notes:
        print(f"explains no mutant: {line}")
    counts = ", ".join(f"{number} {status}" for status, number in sorted(Counter(found.values()).items()))
    print(f"{len(found)} mutants: {counts}; {len(verdict.explained)} explained, {len(verdict.unexplained)} not")
    return 0 if verdict.ok and found else 1


def _mutmut(*arguments: str) -> str:
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=_ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
