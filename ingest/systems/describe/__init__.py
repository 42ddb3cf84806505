"""What the machine's own tools say of a system: for a first `headroom.yml`, and for ingest.

Each tool has a module that reads its output into facts. Nothing is guessed: what no tool says, or
several say differently, is left open.
"""
