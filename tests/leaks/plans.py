"""By what ways the worlds of a pair are observed."""

from dataclasses import dataclass, replace
from random import Random

from unoduo.v1 import session_pb2

_ENDS = ("resign", "rival resigns", "rival is refused", "void", "rival is away")


@dataclass(frozen=True, slots=True)
class Plan:
    """Says by what ways a pair of worlds is observed; the same for both.

    `deal` is how the match gets its deal: fresh, of a given seed that another match has too, or shared and not closed.
    `by` is how the observing seat is known: by its token, the token in a field, or as a bot.
    """

    deal: str
    by: str
    delivery: session_pb2.Delivery.ValueType
    acts: bool
    blinks: bool
    restarts: bool
    delay_ms: int
    end: str

    @classmethod
    def of(cls, seed: int) -> "Plan":
        random = Random(f"plan {seed}")
        acts = random.random() < 0.3
        kind_of_deal = random.random()
        return cls(
            deal="fresh" if kind_of_deal < 0.7 else "given" if kind_of_deal < 0.85 else "shared",
            by=random.choice(("token", "field", "bot")),
            delivery=random.choice((session_pb2.DELIVERY_EVERY_ENTRY, session_pb2.DELIVERY_ON_DECISION)),
            acts=acts,
            blinks=not acts,
            restarts=random.random() < 0.3,
            delay_ms=random.choice((0, 0, 3_000)),
            # Whoever only makes calls is away between them.
            end=random.choice(_ENDS[: len(_ENDS) - acts]),
        )

    @property
    def is_fresh(self) -> bool:
        """Returns whether the deal is public when the match is over."""
        return self.deal == "fresh"

    def lasting(self) -> "Plan":
        """Returns the plan without what a server notices only after a while: that somebody is gone, or a timer."""
        end = "rival resigns" if self.end == "rival is away" else self.end
        return replace(self, blinks=False, restarts=False, delay_ms=0, end=end)
