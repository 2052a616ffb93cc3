"""Loggers."""

from __future__ import annotations

import logging


def getLogger(name: str | None = None, level: int | None = None, isVerbose: bool = False) -> logging.Logger:
    """Returns a logger of the module `logging`. Unlike in the port, it gets no handler, so that nothing is printed."""
    logger = logging.getLogger(name)
    if isVerbose:
        logger.setLevel(logging.DEBUG)
    elif level is not None:
        logger.setLevel(level)
    return logger
