"""What every writer of bytes must fulfil."""

from google.protobuf.message import Message


def assert_canonical(kind: type[Message], data: bytes) -> None:
    """Fails unless the bytes are what protobuf's deterministic serialisation gives for what they hold."""
    assert kind.FromString(data).SerializeToString(deterministic=True) == data
