"""Commands that read the published file."""
