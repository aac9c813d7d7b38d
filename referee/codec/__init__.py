"""Protobuf <-> domain, total and lossless (PROTOCOL.md; the messages are in proto/unoduo/v1).

What comes in is a parsed message and becomes domain values, or `Malformed` naming the field.  What goes out often, to
the log and to the seats, is written as bytes straight from domain values, equal to what protobuf's deterministic
serialisation gives; each event's bytes are built once and shared by the log and both seats.
"""
