"""Random edits of signed replays: none passes with the key, and none touches the original."""

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest
from unoduo.v1 import log_pb2

from referee.audit.report import Status
from referee.audit.verify import Evidence, verify
from tests.audit.cheats import KEY, honest
from tests.clients_go.mutations import MUTATIONS, pieces_of
from tests.faults.sizes import TORTURE, size

EDITS = size(500, 10_000)
# Edits that leave a file right up to where it ends, so that it is incomplete.
ENDS_SOONER = {"cut_short", "ended_after_a_part"}


def signature_replayed(dice: Random, file: bytes) -> bytes:
    """Puts the signature of another match into the seal."""
    pieces = pieces_of(file)
    seal = log_pb2.Seal.FromString(pieces.seal)
    signatures = [log.seal.signature for log in honest() if log.seal]
    seal.signature = dice.choice([signature for signature in signatures if signature != seal.signature])
    return replace(pieces, seal=seal.SerializeToString(deterministic=True)).to_bytes()


ALL = {**MUTATIONS, "signature_replayed": signature_replayed}


@pytest.mark.timeout(1_200 if TORTURE else 110)
def test_no_edit_passes_with_the_key(tmp_path: Path) -> None:
    dice, evidence = Random(EDITS), Evidence(KEY.public)
    files = []
    for number, log in enumerate(honest()):
        file = tmp_path / str(number)
        file.write_bytes(log.to_bytes())
        files.append((file, sha256(file.read_bytes()).digest(), file.stat().st_mtime_ns))
    found: Counter[tuple[str, Status]] = Counter()
    for name in islice(cycle(ALL), EDITS):
        original = dice.choice(files)[0].read_bytes()
        edited = ALL[name](dice, original)
        report = verify(BytesIO(edited), evidence)
        assert report.status is not Status.OK or edited == original, name
        assert report.status is not Status.INCOMPLETE or name in ENDS_SOONER, name
        found[name, report.status] += 1
    assert all(found[name, Status.WRONG] for name in ALL if name != "ended_after_a_part")
    for file, digest, changed in files:
        with file.open("rb") as stream:
            assert verify(stream, evidence).status is Status.OK
        assert (sha256(file.read_bytes()).digest(), file.stat().st_mtime_ns) == (digest, changed)
