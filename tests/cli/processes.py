"""Finds the processes that a command has started."""

import os
import time

import psutil

# Bots run in process groups of their own, so what is left of them is found by a mark in their environment.
MARK = "UNODUO_TEST_MARK"


def marked(mark: str) -> list[psutil.Process]:
    """Returns the running processes whose environment bears the mark, this one excepted."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and process.environ().get(MARK) == mark:
                found.append(process)
        except psutil.Error:
            continue
    return found


def all_gone(mark: str, within_s: float) -> bool:
    """Returns whether every process with the mark has ended within this time."""
    deadline = time.monotonic() + within_s
    while marked(mark):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
