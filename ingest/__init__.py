"""Files into `raw.*`. Imports go one way, from right to left:

common <- parsers <- find <- systems <- records <- reading, load, reparse, forget
"""
