"""Fields of packets, as `gamewire inspect` and tshark with the dissector decode them."""

import json
import re
import subprocess
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

PROTOCOLS = ("teeworlds", "riptide", "freeciv")
# Not compared: Wireshark joins the segments of a stream itself, so that its runs are other ones; inspect shows the
# packets of a chunk one by one; only inspect explains errors of Freeciv.
EXCLUDED = re.compile(
    r"\w+\.(run|frame)\.(offset|part|bytes)|freeciv\.chunk\.inflated|freeciv\.\w+\.(not_decoded|packets_not_decoded)|freeciv\.desync\.\w+"
)
# Precision of a 32-bit float, with which Wireshark prints some numbers.
PRECISION = 1e-5
# Wireshark cuts labels off.
LABEL_LENGTH = 200

# Names of the lists of warnings, and of whether there are errors, which the decoders explain differently.
WARNINGS, ERRORS = "warnings", "errors"

Fields = dict[str, list[Any]]


class Shown(NamedTuple):
    """A field of tshark: its value, its label, and its bytes if it has some."""

    value: str
    label: str
    raw: str


def _is_field(node: Any) -> bool:
    return isinstance(node, dict) and "source" in node and "bits" in node and "value" in node


def _collect(protocol: str, name: str, node: Any, group: str, into: Fields) -> None:
    """Adds the fields of a node of a record. Lists and structures in them have the name of the list."""
    if _is_field(node):
        into[f"{protocol}.{group}.{name}"].append(node)
    elif isinstance(node, list):
        for element in node:
            _collect(protocol, name, element, group, into)
    elif isinstance(node, dict):
        if node and all(key.isdigit() for key in node):
            # Changed elements of an array, by index.
            _collect(protocol, name, list(node.values()), group, into)
            return
        # Unchanged fields belong to the message.
        inner = group if name == "as_before" else name
        for key, value in node.items():
            _collect(protocol, key, value, inner, into)


def by_inspect(command: Path, capture: Path, options: list[str]) -> dict[int, Fields]:
    """Returns the fields of every frame that inspect decodes."""
    words = [command, "inspect", "--json", "--verbose", "--quiet", capture, *options]
    output = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    frames: dict[int, Fields] = {}
    for line in output.splitlines():
        record = json.loads(line)
        fields = frames.setdefault(record["frame"], defaultdict(list))
        for part in ("packet", "run"):
            _collect(record["protocol"], part, record.get(part, {}), part, fields)
        for message in record.get("messages", []):
            for name, content in message.items():
                _collect(record["protocol"], name, content, name, fields)
        fields[WARNINGS] = sorted([*fields[WARNINGS], *(warning["name"] for warning in record.get("warnings", []))])
        fields[ERRORS] = ["damaged"] if "errors" in record or fields[ERRORS] else []
    return frames


def tshark(script: Path, capture: Path, *options: str) -> Iterator[bytes]:
    """Yields the output of tshark with the dissector, and fails if it reports an error."""
    words = ["tshark", "-2", "-n", "-r", str(capture), "-X", f"lua_script:{script}", *options]
    ended = subprocess.run(words, capture_output=True, check=True)
    errors = [line for line in ended.stderr.decode().splitlines() if line and not line.startswith("Running as user")]
    assert not errors, errors[:5]
    yield ended.stdout


def by_tshark(script: Path, capture: Path) -> dict[int, Fields]:
    """Returns the fields of every frame that the dissector decodes."""
    frames: dict[int, Fields] = {}
    output, = tshark(script, capture, "-T", "pdml")
    for packet in ET.fromstring(output):
        fields: Fields = defaultdict(list)
        for layer in packet.iterfind("proto"):
            if layer.get("name") not in PROTOCOLS:
                continue
            for node in layer.iter("field"):
                name = node.get("name", "")
                if name.endswith(".warning"):
                    fields[WARNINGS].append(node.get("show"))
                elif name.endswith(".error"):
                    fields[ERRORS] = ["damaged"]
                if name.count(".") > 2:
                    # Structures in messages of an application have the names of all groups.
                    name = ".".join([name.split(".")[0], *name.split(".")[-2:]])
                if name.count(".") == 2 and name.split(".")[0] in PROTOCOLS:
                    # Bits that are numbers in another version of Freeciv have a name of their own in Wireshark.
                    name = name.removesuffix("_bits") if name.startswith("freeciv.") else name
                    fields[name].append(Shown(node.get("show", ""), node.get("showname", ""), node.get("value", "")))
        if fields:
            frames[int(packet.find(".//field[@name='num']").get("show"))] = fields
    return frames


def _escaped(letter: str) -> str:
    """Returns a letter as Wireshark writes it in XML, where line ends become spaces."""
    if letter in "\t\n\r":
        return " "
    if letter == "\0":
        return r"\0"
    return f"\\x{ord(letter):x}" if letter < " " or letter == "\x7f" else letter


def _is_text(value: str, shown: Shown) -> bool:
    """Compares text, bytes or a hexadecimal number."""
    if shown.value == "".join(map(_escaped, value)) or shown.value.replace(":", "") == value:
        return True
    if shown.value.startswith("0x"):
        return re.fullmatch("[0-9a-f]+", value) is not None and int(shown.value, 16) == int(value, 16)
    return value == "NaN" and shown.value.strip("-") == "nan"


def is_same(field: dict[str, Any], shown: Shown) -> bool:
    """Returns whether both decoders have the same value, with the same name if it has one."""
    value = field["value"]
    if "names" in field:
        label = f" ({', '.join(field['names'])})" if field["names"] else shown.value
        return int(shown.value, 0) == value and label[:LABEL_LENGTH] in shown.label
    if "name" in field:
        return shown.value == str(value) and shown.label.endswith(f": {field['name']} ({value})")
    if isinstance(value, bool):
        return shown.value in (("1", "True") if value else ("0", "False"))
    if isinstance(value, int):
        return int(shown.value, 0) == value
    if isinstance(value, float):
        return abs(float(shown.value) - value) <= PRECISION * abs(value)
    return _is_text(value, shown)


def differences(ours: dict[int, Fields], theirs: dict[int, Fields]) -> tuple[int, list[str]]:
    """Returns the number of compared fields, and a sentence for each difference."""
    count, found = 0, []
    for frame in sorted(ours.keys() | theirs.keys()):
        left, right = ours.get(frame, {}), theirs.get(frame, {})
        # Groups are in Wireshark's fields too, without a value.
        for name in sorted(left.keys() | right.keys()):
            if name in (WARNINGS, ERRORS):
                if left.get(name, []) != sorted(right.get(name, [])):
                    found.append(f"frame {frame}, {name}: {left.get(name)} and {right.get(name)}")
                continue
            if EXCLUDED.fullmatch(name):
                continue
            values, shown = left.get(name, []), [field for field in right.get(name, []) if ": " in field.label]
            count += len(values)
            if len(values) != len(shown):
                found.append(f"frame {frame}, {name}: {len(values)} and {len(shown)} values")
            found += [f"frame {frame}, {name}: {one['value']} and {other.value}"
                      for one, other in zip(values, shown) if not is_same(one, other)]
    return count, found
