"""A release: checks, publication, history."""
