"""The spaces of observations."""

from __future__ import annotations

import string

import numpy as np
from gymnasium import spaces

from gamewire.freeciv._observation import Observation
from gamewire.freeciv.env._layout import Layout

MAX_TEXT = 1_000_000
"""Maximum number of characters of an observation as text."""


def observation_space(shapes: Observation, layout: Layout, is_text: bool) -> spaces.Dict:
    """Returns the space of observations: a flat Dict of Boxes of the type int32, and the mask of the type int8."""
    mask = spaces.Box(0, 1, (layout.size,), np.int8)
    if is_text:
        return spaces.Dict({"text": spaces.Text(MAX_TEXT, min_length=0, charset=string.printable), "action_mask": mask})
    limits = np.iinfo(np.int32)
    boxes = {
        name: spaces.Box(
            0 if name.endswith("_mask") else limits.min, 1 if name.endswith("_mask") else limits.max, shape, np.int32
        )
        for name, shape in shapes.shapes.items()
    }
    return spaces.Dict({**boxes, "action_mask": mask})
