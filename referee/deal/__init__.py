"""The sealed source of all shuffles of a match (`PROTOCOL.md`, "The deal"); pure."""
