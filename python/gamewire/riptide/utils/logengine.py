"""Loggers."""

from __future__ import annotations

import logging


def getLogger(name: str | None = None, level: int | None = None, isVerbose: bool = False) -> logging.Logger:
    """Returns a logger of the module `logging`. Unlike in the port, it gets no handler, so that nothing is printed."""
    logger = logging.getLogger(name)
    if level is not None or isVerbose:
        logger.setLevel(logging.DEBUG if isVerbose else level)
    return logger
