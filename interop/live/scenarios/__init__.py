"""The scenarios against the real servers, a module for each topic."""
