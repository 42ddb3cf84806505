"""Finds sources, also in packed files, and tells their formats."""
