"""How many files and sockets this process may have open."""

import resource
from contextlib import suppress


def take_all_descriptors() -> None:
    """Lets this process have as many as the system allows: a bot takes several, and the usual 1024 are not enough."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems have a hard limit that nobody may reach.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
