"""Modules of the Python port of Riptide."""
