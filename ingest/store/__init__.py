"""A store: results of many machines in one folder or bucket, written at once and without a server.

commits/<machine>/<UTC>-<id>.json             what a writer added; the last object that it writes
packs/<sha256>.zip                            contents of files, as in an archive
results/<table>/<machine>/<UTC>-<id>.parquet  rows of `raw.<table>`
ledger/<table>/<machine>/<UTC>-<id>.parquet   what is known of the files, as far as it changed

known/, known_ledger/                         see `ingest.store.memory`

Objects are written once and whole. What no commit names, a writer left that was killed.
"""
