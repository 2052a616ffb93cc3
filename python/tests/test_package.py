"""The package as a whole."""

import ast
import importlib
from importlib.metadata import version
from pathlib import Path

import gamewire
import pytest
from gamewire import _native


def test_the_version_is_that_of_the_distribution():
    assert gamewire.__version__ == version("pygamewire")


def test_the_type_hints_have_every_class_and_method_of_the_native_module():
    hints = ast.parse(Path(gamewire.__file__).with_name("_native.pyi").read_text()).body
    named = {node.name: node for node in hints if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    public = {name for name in dir(_native) if not name.startswith("_")} - {"VERSION"}
    assert set(named) == public
    for name, node in named.items():
        if isinstance(node, ast.ClassDef) and not issubclass(getattr(_native, name), Exception):
            members = {getattr(it, "name", None) or getattr(it, "target", it) for it in node.body}
            members = {member.id if isinstance(member, ast.Name) else member for member in members}
            real = {member for member in vars(getattr(_native, name)) if not member.startswith("__")}
            assert {it for it in members if isinstance(it, str) and not it.startswith("__")} == real, name


def test_the_package_is_typed():
    assert Path(gamewire.__file__).with_name("py.typed").exists()


@pytest.mark.parametrize("name", ["freeciv", "inspect", "riptide", "teeworlds"])
def test_everything_public_is_documented(name):
    module = importlib.import_module(f"gamewire.{name}")
    for public in module.__all__:
        item = getattr(module, public)
        # An alias of types has none.
        if isinstance(item, type) or callable(item) and not hasattr(item, "__args__"):
            assert item.__doc__, public
        if isinstance(item, type):
            for member, value in vars(item).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert getattr(value, "__doc__", None), f"{public}.{member}"
