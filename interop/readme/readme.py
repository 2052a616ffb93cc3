"""The blocks of code in the README."""

import shlex
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def blocks(language: str) -> list[str]:
    """Returns every block of a language."""
    parts = (REPOSITORY / "README.md").read_text(encoding="utf-8").split("```")
    return [part.removeprefix(language + "\n") for part in parts[1::2] if part.startswith(language + "\n")]


def commands() -> list[str]:
    """Returns every command line, without its comment."""
    return [line.partition("  #")[0].strip() for block in blocks("sh") for line in block.splitlines()]


def demo_command() -> list[str]:
    """Returns the first command, which plays the demo."""
    command = shlex.split(commands()[0])
    assert command[:2] == ["cargo", "run"] and command[-2:] == ["--", "demo"], command
    return command


def dependency(protocol: str) -> str:
    """Returns the line for Cargo.toml that has a protocol."""
    (line,) = [line for block in blocks("toml") for line in block.splitlines() if f'"{protocol}"' in line]
    return line


def program(protocol: str) -> str:
    """Returns the program that uses a protocol."""
    (block,) = [block for block in blocks("rust") if f"gamewire::{protocol}::" in block]
    return block
