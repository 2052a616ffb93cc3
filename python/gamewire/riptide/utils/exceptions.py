"""The exceptions of messages and transports."""


class InsufficientCapacityException(Exception):
    """A value does not fit in the message."""


class NotEnoughBytesError(Exception):
    """The message has no such value left."""


class ArgumentOutOfRangeException(Exception):
    """An argument is out of range."""
