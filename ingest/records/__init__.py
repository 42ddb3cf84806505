"""The record of what was read: the ledger of places and contents, raw's tables, the archive."""
