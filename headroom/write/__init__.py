"""Commands that change the warehouse, and their steps."""
