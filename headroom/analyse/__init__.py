"""Commands that compare, size, predict and report."""
