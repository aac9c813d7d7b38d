"""Runs the command line: `python -m referee`."""

import sys

from referee.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
