"""The schemas that the Go verifier is built with."""

from tests.clients_go.schemas import SCHEMAS, up_to_date


def test_schemas_are_those_of_the_proto_files() -> None:
    text = SCHEMAS.read_text(encoding="utf-8")
    assert text == up_to_date(text), "python -m tests.clients_go.schemas"
