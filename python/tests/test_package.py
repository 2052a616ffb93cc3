"""The package as a whole."""

from importlib.metadata import version

import gamewire


def test_the_version_is_that_of_the_distribution():
    assert gamewire.__version__ == version("pygamewire")
