"""Records of ingest: the ledger of places and contents, descriptions, raw's tables, the archive."""
