"""A plugin of pytest for `make torture`: at the end it states what the tests have counted and measured.

A test hands a figure over with the fixture `record_property`.
"""

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Writes the figures of each test, be it passed or failed."""
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    terminalreporter.section("figures")
    for report in reports:
        for name, figure in report.user_properties:
            terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {name}: {figure}")
