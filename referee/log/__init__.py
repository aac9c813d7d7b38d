"""The tamper-evident log as bytes: heads, blinds, files (`PROTOCOL.md`, "The log"); pure."""
