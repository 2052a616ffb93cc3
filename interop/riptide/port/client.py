"""A client of the Python port or of gamewire, for the examples of the port: `client.py PACKAGE values|hello udp|tcp`.

`values` sends 24 values and prints the ids of those that return unchanged; `hello` sends a text and prints the text that
it receives. The port of the server is 7777.
"""

import sys
import time
from importlib import import_module
from typing import Any

LIMIT = 15
"""Maximum seconds."""
SERVER = ("127.0.0.1", 7777)
HELLO = 42
BOOLS = 1
"""The id of an array of bools. A server of the port ends when it reads one, so it is the last to be sent."""
TEXT = "Hello World !"
VALUES: list[tuple[str, Any, Any]] = [
    ("Bool", True, False),
    ("UInt8", 255, 1),
    ("Int8", -128, 1),
    ("Int16", -32768, 1),
    ("UInt16", 65535, 1),
    ("Int32", -(1 << 31), 1),
    ("UInt32", (1 << 32) - 1, 1),
    ("Int64", -(1 << 63), 1),
    ("UInt64", (1 << 64) - 1, 1),
    ("Float", 0.5, -1.25),
    ("Double", 1e300, -1.25),
    ("String", TEXT, ""),
]
"""The names of the methods, with two values of each kind. A message has the first value, and the next one an array."""


def main() -> None:
    package, role, transport = sys.argv[1:]

    def of(module: str) -> Any:
        return import_module(f"{package}.{module}")

    unreadable = of("utils.exceptions").NotEnoughBytesError
    message, mode = of("message"), of("message_base").MessageSendMode
    client = of("client").Client(getattr(of(f"transports.{transport}.{transport}_client"), f"{transport.upper()}Client")())
    sent = [(name + kind, value) for name, *two in VALUES for kind, value in (("", two[0]), ("Array", [*two, two[0]]))]
    connected: list[bool] = []
    texts: list[str] = []
    equal: set[int] = set()

    def receive(number: int, received: Any) -> None:
        name, value = sent[number]
        try:
            is_equal = getattr(received, f"get{name}")() == value
        except (ValueError, IndexError, unreadable) as error:
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
            return
        if is_equal:
            equal.add(number)

    def update() -> None:
        try:
            client.update()
        except (ValueError, TypeError, AttributeError, IndexError, OSError) as error:
            # The port raises on some acknowledgements and values.
            if package.startswith("gamewire"):
                raise
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        time.sleep(0.005)

    client.Connected += lambda: connected.append(True)
    client.registerMessageHandler(HELLO, lambda received: texts.append(received.getString()))
    for number in range(len(sent)):
        client.registerMessageHandler(number, lambda received, number=number: receive(number, received))
    end = time.monotonic() + LIMIT
    client.connect(SERVER)
    while not connected and time.monotonic() < end:
        update()
    if role == "hello":
        hello = message.create(mode.Reliable, HELLO)
        hello.putString(TEXT)
        client.send(hello)
    waiting = list(range(len(sent))) if role == "values" else []
    waiting.sort(key=lambda number: number == BOOLS)
    while not (texts if role == "hello" else len(equal) == len(sent)) and time.monotonic() < end:
        if waiting and (waiting[0] != BOOLS or len(equal) == len(sent) - 1):
            number = waiting.pop(0)
            name, value = sent[number]
            one = message.create(mode.Unreliable, number)
            getattr(one, f"put{name}")(value)
            client.send(one)
        update()
    # The log of the port is on standard output, too.
    print("received:", *(texts if role == "hello" else sorted(equal)), flush=True)
    client.disconnect()


if __name__ == "__main__":
    main()
