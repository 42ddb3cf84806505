"""`headroom.yml`: the system under test, which result files lack, and own catalog entries."""
