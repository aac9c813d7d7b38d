"""What a runner and its processes hold in memory does not grow with the matches that they have played."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import ROOT
from tests.faults.sizes import size

MATCHES = size(300, 10_000)
# A replay of such a match has about 90 KiB; what is booked of it may stay.
_BOOKED_BYTES_A_MATCH = 2_048
_SLACK_BYTES = 8 << 20

_RUNNER = """
import asyncio, json, os, sys
from pathlib import Path
import psutil
from tests.arena.cups import MASTER, cup
from referee.arena.run import run_tournament

def highest():
    told = {}
    for process in (psutil.Process(), *psutil.Process().children()):
        status = Path(f"/proc/{process.pid}/status").read_text()
        peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        if "resource_tracker" not in " ".join(process.cmdline()):
            told[str(process.pid)] = int(peak.split()[1]) << 10
    return told

def main(folder, matches):
    figures = {}
    def look(standing):
        for share in (10, 100):
            # The processes that play end when the last match is over.
            if standing.played >= share * matches // 100 - 4:
                figures.setdefault(share, highest())
    asked = cup(Path(folder), "greedy", "greedy", pairs=matches // 2, rules={"target": 200})
    asyncio.run(run_tournament(asked, MASTER, look, in_process=True))
    print(json.dumps(figures))

if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
"""


@pytest.mark.slow
@pytest.mark.timeout(size(300, 6_000))
def test_memory_stays_flat_over_many_matches_in_process(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    script = tmp_path / "runner.py"
    script.write_text(_RUNNER)
    runner = subprocess.run(
        [sys.executable, str(script), str(tmp_path), str(MATCHES)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    early, late = (sum(json.loads(runner.stdout)[share].values()) for share in ("10", "100"))
    record_property(f"highest memory of all processes after a tenth of {MATCHES:,} matches", f"{early >> 20} MiB")
    record_property("the same after all", f"{late >> 20} MiB")
    assert late - early < _SLACK_BYTES + _BOOKED_BYTES_A_MATCH * MATCHES
