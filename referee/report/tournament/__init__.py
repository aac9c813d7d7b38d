"""A tournament as files for people and programs (`README.md` of this folder); read-only."""
