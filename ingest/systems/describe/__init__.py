"""Describes a system by its own tools, for a first `headroom.yml` and for ingest.

Each tool has a module that reads its output into facts. Nothing is guessed: fields that no tool
prints, or on which tools differ, stay open.
"""
