"""Bytes at an expected index: the referee's only memory. It knows no cards and no protobuf."""
