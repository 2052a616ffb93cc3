"""The transport of a server."""

from gamewire.riptide.transports.ipeer import IServer

__all__ = ["IServer"]
