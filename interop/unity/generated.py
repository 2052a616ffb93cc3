"""C# classes of `gamewire compile --emit csharp`, compiled on mono, with values that our server reads by the same file."""

import json
import subprocess
import tempfile
from pathlib import Path

import gamewire
import mono
import program
from ours import Ours

GAME = """
[[struct]]
name = "part"
fields = ["ammo: byte", "event: string", "where: vector2", "mods: bool[4]"]

[[message]]
id = 10
name = "singles"
fields = ["flag: bool", "a: byte", "b: sbyte", "c: short", "d: ushort", "e: int", "f: uint", "g: long", "h: ulong",
    "small: var_long", "large: var_ulong", "spot: vector3", "turn: quaternion", "half: float", "whole: double", "three: bits:3",
    "twelve: bits:12", "thirty: bits:30", "flags: bits:40", "inner: part", "words: string"]

[[message]]
id = 11
name = "lists"
fields = ["grid: byte[5]", "flags: bool[]", "pair: int[2]", "parts: part[]", "places: vector2[1]", "numbers: short[]",
    "names: string[]"]
"""

SINGLES = {
    "flag": True, "a": 200, "b": -100, "c": -30000, "d": 60000, "e": -(2**31), "f": 2**32 - 1, "g": -(2**63), "h": 2**64 - 1,
    "small": -5, "large": 2**64 - 2, "half": 0.5, "whole": -1e300, "three": 5, "twelve": 4000, "thirty": 2**29,
    "flags": 2**40 - 1, "words": "Grüße",
}


def classes_are_read_by_our_server_and_read_what_it_returns() -> None:
    """Every type of value, in both directions."""
    with tempfile.TemporaryDirectory() as folder:
        file, code, binary = Path(folder, "game.toml"), Path(folder, "Messages.cs"), mono.tests().with_name("Classes.exe")
        file.write_text(GAME)
        compiled = gamewire.run("compile", str(file), "--emit", "csharp", "--output", str(code))
        assert compiled.returncode == 0, compiled.stderr
        sources = [Path(folder), mono.ROOT / "interop/unity/classes"]
        mono.compile_to(binary, sources, mono.riptide(), "System.Numerics")
        listen = "--bind", "127.0.0.1:0", "--transport", "udp", "--relay", "none", "--echo", "--messages", str(file)
        with Ours("serve", "riptide", *listen) as server:
            command = ["mono", str(binary), f"127.0.0.1:{server.port()}"]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=program.LIMIT)
            assert ended.returncode == 0 and "both returned" in ended.stdout, ended.stdout + ended.stderr
            program.until(lambda: len(server.all("message")) == 2, lambda: f"two messages: {server}")
            singles, lists = (event["fields"] for event in server.all("message"))
    found = {name: singles[name] for name in SINGLES}
    assert found == SINGLES, json.dumps(found)
    assert singles["inner"]["event"] == "part 7" and singles["inner"]["mods"] == [True, False, True, True], singles
    assert lists["grid"] == "0102030405" and lists["flags"] == [True, False, True] and lists["pair"] == [5, -5], lists
    assert [part["ammo"] for part in lists["parts"]] == [1, 2] and lists["names"] == ["a", "", "ö"], lists
    assert lists["numbers"] == [-1, 2], lists
