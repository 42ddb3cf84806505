"""The system under test, as described by `headroom.yml` and by its own tools."""
