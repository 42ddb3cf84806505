"""Finds sources, also in packed files, and identifies their formats."""
