"""`headroom.yml`: the system under test, unknown to result files, and own catalog entries."""
