"""The transport of a client."""

from gamewire.riptide.transports.ipeer import IClient

__all__ = ["IClient"]
