"""Plays, watches and serves real multiplayer games."""

from gamewire._native import VERSION as __version__

__all__ = ["__version__"]
