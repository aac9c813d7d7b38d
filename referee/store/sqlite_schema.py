"""The tables of the SQLite store, and how a connection to them is made."""

import sqlite3
from pathlib import Path

from referee.store.errors import StoreUnavailable, StoreVersion

SCHEMA_VERSION = 4

# What a query of a damaged database can raise: SQLite quotes the damage in its message, and that need not be text.
DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError)

_DEALS = """
CREATE TABLE deals (deal_id BLOB PRIMARY KEY, seed BLOB NOT NULL, closed INTEGER NOT NULL) STRICT, WITHOUT ROWID;
"""
_BOT_SEEDS = "ALTER TABLE secrets ADD COLUMN bot_seeds BLOB NOT NULL DEFAULT x'';"
# What each earlier version that can be brought up to date has not got.
_MISSING = {2: _DEALS + _BOT_SEEDS, 3: _BOT_SEEDS}
# A column named after a token holds its SHA-256 digest, never the token.
_TABLES = f"""{_DEALS}
CREATE TABLE matches (
    number INTEGER PRIMARY KEY, match_id BLOB NOT NULL UNIQUE, header BLOB NOT NULL, h0 BLOB NOT NULL,
    created TEXT NOT NULL, seat_a_token BLOB NOT NULL, seat_b_token BLOB NOT NULL, spectator_token BLOB NOT NULL,
    seal BLOB, reveal BLOB
) STRICT;
CREATE INDEX unfinished ON matches (number) WHERE seal IS NULL;
CREATE TABLE bots (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, token BLOB NOT NULL) STRICT;
CREATE TABLE secrets (
    match INTEGER PRIMARY KEY, deal_id BLOB NOT NULL, seed BLOB NOT NULL, salt BLOB NOT NULL, blind_key BLOB NOT NULL,
    bot_seeds BLOB NOT NULL
) STRICT;
CREATE INDEX secrets_by_deal ON secrets (deal_id);
CREATE TABLE readies (
    match INTEGER NOT NULL, seat INTEGER NOT NULL, entropy BLOB NOT NULL, PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, match INTEGER NOT NULL, idx INTEGER NOT NULL, head BLOB NOT NULL, bytes BLOB NOT NULL,
    UNIQUE (match, idx)
) STRICT;
CREATE TABLE index_records (
    position INTEGER PRIMARY KEY, previous BLOB NOT NULL, bytes BLOB NOT NULL, head BLOB NOT NULL
) STRICT;
"""


def connect(database: Path) -> sqlite3.Connection:
    """Returns a connection whose transactions are the caller's business.

    Commits are durable (`synchronous=FULL`). What is erased is overwritten with zeros, in the write-ahead log only when
    that is begun anew or the store is closed. A lock of another program is an error at once, for whoever waits here
    keeps the whole loop waiting.
    """
    connection = sqlite3.connect(database, timeout=0, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """Makes the tables of a new database, or what versions 2 and 3 did not have.

    Raises StoreVersion for any other version, StoreUnavailable where SQLite cannot keep a write-ahead log, and one of
    DATABASE_ERRORS for what is no database.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    if version not in (*_MISSING, SCHEMA_VERSION) and (version or tables):
        raise StoreVersion(version, SCHEMA_VERSION)
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreUnavailable(f"the file system cannot keep a write-ahead log (journal mode {mode})")
    if version != SCHEMA_VERSION:
        missing = _MISSING[version] if version else _TABLES
        connection.executescript(f"BEGIN IMMEDIATE; {missing} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
