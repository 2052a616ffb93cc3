"""Our codes: the example `codec` of the crate gamewire."""

import subprocess
from pathlib import Path
from typing import Iterable


def convert(program: Path, what: str, inputs: list[bytes]) -> list[bytes]:
    """Compresses or decompresses payloads."""
    return ask(program, what, (f"{len(data)} {data.hex()}" for data in inputs))


def pack(program: Path, integers: Iterable[int]) -> list[bytes]:
    """Packs integers."""
    return ask(program, "pack", map(str, integers))


def ask(program: Path, what: str, lines: Iterable[str]) -> list[bytes]:
    """Returns the program's answer to every line."""
    requests = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([program, what], input=requests, stdout=subprocess.PIPE, text=True, check=True)
    answers = []
    for line in done.stdout.splitlines():
        length, _, digits = line.partition(" ")
        answer = bytes.fromhex(digits)
        if len(answer) != int(length):
            raise ValueError(f"expected an answer of {length} bytes, found {len(answer)}")
        answers.append(answer)
    return answers
