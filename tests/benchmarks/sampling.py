"""Where the processor time of a server goes: its frames, sampled by a timer of processor time, by function."""

import json
import signal
import time
from collections import Counter
from dataclasses import dataclass
from types import FrameType

_INTERVAL_S = 0.001
_REFEREE = "referee."


@dataclass(frozen=True, slots=True)
class Profile:
    """Holds how often the main thread was found in each function, as `module function`, and what the process used.

    What a function of an extension does, such as a write of grpc, counts for the function that called it.
    """

    samples: Counter[str]
    main_thread_s: float
    process_s: float

    def to_json(self) -> str:
        """Returns it as one line."""
        return json.dumps([self.samples, self.main_thread_s, self.process_s])

    @classmethod
    def from_json(cls, line: str) -> "Profile":
        """Returns what `to_json` wrote."""
        samples, main_thread_s, process_s = json.loads(line)
        return cls(Counter(samples), main_thread_s, process_s)

    def table(self, title: str, moves: int, functions: int = 12) -> str:
        """Returns microseconds a move by part of the referee, and of the functions that take most themselves."""
        us_a_sample = 1e6 * self.main_thread_s / moves / max(1, self.samples.total())
        parts: Counter[str] = Counter()
        for name, count in self.samples.items():
            parts[_part(name)] += count
        rows = [f"{title} (microseconds a move)"]
        rows += [_row(part, us_a_sample * count) for part, count in parts.most_common()]
        rows.append(_row("other threads, of grpc", 1e6 * (self.process_s - self.main_thread_s) / moves))
        rows.append(f"  of which in {functions} functions")
        rows += [_row(f"  {name}", us_a_sample * count) for name, count in self.samples.most_common(functions)]
        return "\n".join(rows)


class Sampler:
    """Samples the main thread of this process, from which it must be called."""

    def __init__(self) -> None:
        self._samples: Counter[str] = Counter()
        self._started = (0.0, 0.0)

    def start(self) -> None:
        """Begins."""
        self._samples.clear()
        self._started = (time.thread_time(), time.process_time())
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, _INTERVAL_S, _INTERVAL_S)

    def stop(self) -> Profile:
        """Ends, and returns what was found."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        thread_s, process_s = self._started
        return Profile(self._samples, time.thread_time() - thread_s, time.process_time() - process_s)

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        if frame is not None:
            self._samples[f"{frame.f_globals.get('__name__')} {frame.f_code.co_qualname}"] += 1


def _part(name: str) -> str:
    module = name.split(" ")[0]
    if module.startswith(_REFEREE) and module != "referee.server.session":
        return "referee." + module.split(".")[1]
    if module.startswith(("hmac", "hashlib")):
        return "referee.log"
    return "referee.server.session with grpc.aio and asyncio"


def _row(name: str, us: float) -> str:
    return f"  {name:<90} {us:>8.1f}"
