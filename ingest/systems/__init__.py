"""The system under test: what a `headroom.yml` says of it, and a first one from its own tools."""
