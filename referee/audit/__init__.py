"""Proves a match from its replay file, without trusting the referee that wrote it; pure (PROTOCOL.md, "The log")."""
