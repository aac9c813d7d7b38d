"""The signed bytes of a result against `proto/vectors/log/result.json`."""

import pytest

from referee.log.seal import result_bytes
from tests.log.vectors import Case, named, unhex


@pytest.mark.parametrize("case", **named("log/result.json"))
def test_result_bytes_match_the_vectors(case: Case) -> None:
    h0, final, outcome = (unhex(case[key]) for key in ("h0", "final_head", "outcome"))
    assert result_bytes(case["number"], h0, final, outcome).hex() == case["signed_bytes"]


@pytest.mark.parametrize(("h0", "final"), [(bytes(31), bytes(33)), (bytes(32), b"")])
def test_head_of_wrong_size_is_refused(h0: bytes, final: bytes) -> None:
    with pytest.raises(ValueError, match="a head has 32 bytes"):
        result_bytes(1, h0, final, b"outcome")
