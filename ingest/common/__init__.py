"""Errors, paths, small files, units and names that all rooms of ingest share."""
