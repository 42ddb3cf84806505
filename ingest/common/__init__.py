"""Errors, paths, small files, units and names that all packages of ingest share."""
