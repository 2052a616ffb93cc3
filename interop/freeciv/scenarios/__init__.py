"""The scenarios against the real server, a module for each topic."""
