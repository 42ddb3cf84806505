"""Other engines that can build the models; DuckDB checks, publishes and serves what they built."""
