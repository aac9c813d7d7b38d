"""What a tournament is, whatever its file leaves out: the part of it on which results may depend, and its digest."""

import json
from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from hashlib import sha256
from typing import Any

from referee.arena.specification import Specification
from referee.arena.toml_table import option_name
from referee.deal.master import master_commitment


def effective(specification: Specification, master: bytes) -> Mapping[str, Any]:
    """Returns every setting by its key in the file, and the commitment to the master seed, ready for JSON.

    Neither paths nor how many matches are played at once are among them: results do not depend on those.
    """
    return {
        "format": specification.format,
        "pairs": specification.pairs,
        "attempts": specification.attempts,
        "common_deals": specification.common_deals,
        "sprt": None if specification.sprt is None else _options(specification.sprt),
        "rules": _options(specification.terms.ruleset),
        "clock": _options(specification.terms.time_control),
        "faults": _options(specification.terms.fault_policy),
        "limits": _options(specification.limits),
        "players": [
            {
                "name": player.name,
                "command": list(player.command),
                "entropy": player.entropy.hex(),
                "environment": dict(player.environment),
                "function": player.function,
            }
            for player in specification.players
        ],
        "master_commitment": master_commitment(master).hex(),
    }


def digest_of(settings: Mapping[str, Any]) -> str:
    """Returns the SHA-256 of effective settings, in hex digits: of their JSON with sorted keys and without spaces."""
    text = json.dumps(settings, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def _options(settings: Any) -> dict[str, Any]:
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    return {name: option_name(value) if isinstance(value, Enum) else value for name, value in values.items()}
