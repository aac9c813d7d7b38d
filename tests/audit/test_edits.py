"""Random edits of signed replays: none passes with the key, and none touches the original."""

from hashlib import sha256
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest

from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from tests.audit.cheats import KEY, honest
from tests.clients_go.mutations import MUTATIONS
from tests.faults.sizes import TORTURE, size

EDITS = size(500, 10_000)


@pytest.mark.timeout(1_200 if TORTURE else 110)
def test_no_edit_passes_with_the_key(tmp_path: Path) -> None:
    dice, evidence = Random(EDITS), Evidence(KEY.public)
    files = []
    for number, log in enumerate(honest()):
        file = tmp_path / str(number)
        file.write_bytes(log.to_bytes())
        files.append((file, sha256(file.read_bytes()).digest(), file.stat().st_mtime_ns))
    statuses = set()
    for name in islice(cycle(MUTATIONS), EDITS):
        original = dice.choice(files)[0].read_bytes()
        edited = MUTATIONS[name](dice, original)
        report = verify(BytesIO(edited), evidence)
        assert report.status is not Status.OK or edited == original, name
        statuses.add(report.status)
    assert Status.WRONG in statuses
    for file, digest, changed in files:
        with file.open("rb") as stream:
            assert verify(stream, evidence).status is Status.OK
        assert (sha256(file.read_bytes()).digest(), file.stat().st_mtime_ns) == (digest, changed)
