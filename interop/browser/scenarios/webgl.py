"""The .jslib of the C# package in the browser, with a stand-in for the loader of Unity's WebGL builds.

The stand-in does what a build does with a .jslib: it takes the source of each function by its text, and the objects with $ as
JSON. The C# side is played by a socket that calls these functions as BrowserSocket.cs does: with pointers into a memory that
grows, and by polling. The client above it is that of riptide.js.
"""

import json
from contextlib import ExitStack
from pathlib import Path

from page import Page, browser, until
from room import Command, connect, pages, room

JSLIB = Path("unity/Runtime/Plugins/WebGL/GamewireWebSocket.jslib").resolve()
COUNT = 1000

LOADER = """(text) => {
    const library = {};
    const dependencies = [];
    const Loaded = { library };
    new Function("LibraryManager", "mergeInto", "autoAddDeps", text)(Loaded, Object.assign, (from, name) => dependencies.push(name));
    const parts = Object.entries(library).map(([name, part]) => {
        if (name.startsWith("$") !== (typeof part !== "function")) throw new Error(`unexpected part ${name}`);
        return name.startsWith("$") ? `var ${name.slice(1)} = ${JSON.stringify(part)};` : `var ${name} = ${part};`;
    });
    const functions = Object.keys(library).filter((name) => !name.startsWith("$"));
    if (!dependencies.includes("$GamewireWebSockets") || !functions.every((name) => name.startsWith("GamewireWebSocket")))
        throw new Error(`names: ${functions} ${dependencies}`);
    const build = `
        var memory = new WebAssembly.Memory({ initial: 1, maximum: 64 });
        var HEAPU8 = new Uint8Array(memory.buffer);
        function UTF8ToString(pointer) {
            return new TextDecoder().decode(HEAPU8.slice(pointer, HEAPU8.indexOf(0, pointer)));
        }
        function grow() { memory.grow(1); HEAPU8 = new Uint8Array(memory.buffer); }
        ${parts.join("\\n")}
        return { ${functions.join(", ")}, grow, heap: () => HEAPU8, sockets: () => GamewireWebSockets.sockets };`;
    globalThis.unity = new Function("WebSocket", build)(WebSocket);
}"""

# A WebSocket on the functions of the build. The addresses in its memory: text 1024, sent 4096, received 16384.
SOCKET = """() => {
    const [TEXT, SENT, RECEIVED, CAPACITY] = [1024, 4096, 16384, 1231];
    globalThis.UnitySocket = class {
        static OPEN = 1;
        readyState = 0;
        bufferedAmount = 0;
        constructor(address) {
            unity.heap().set([...new TextEncoder().encode(address), 0], TEXT);
            this.id = unity.GamewireWebSocketOpen(TEXT, CAPACITY);
            this.timer = setInterval(() => this.poll(), 5);
        }
        poll() {
            const state = unity.GamewireWebSocketState(this.id);
            if (state >= 1 && this.readyState === 0) { this.readyState = 1; if (state === 1) this.onopen({}); }
            for (let size; (size = unity.GamewireWebSocketReceive(this.id, RECEIVED, CAPACITY)) > 0;)
                this.onmessage({ data: unity.heap().slice(RECEIVED, RECEIVED + size).buffer });
            if (state === 2) { clearInterval(this.timer); this.readyState = 3; this.onclose({}); }
        }
        send(bytes) {
            // The array is pinned during the call only, and the memory may grow after it.
            unity.heap().set(bytes, SENT);
            unity.GamewireWebSocketSend(this.id, SENT, bytes.length);
            unity.heap().fill(255, SENT, SENT + bytes.length);
            if (Math.random() < 0.01 && unity.heap().length < 3_000_000) unity.grow();
        }
        close() { clearInterval(this.timer); this.readyState = 3; unity.GamewireWebSocketClose(this.id); }
    };
}"""


def load(page: Page) -> None:
    """Loads the .jslib, and makes its socket that of the client."""
    page.evaluate(LOADER, JSLIB.read_text())
    page.evaluate(SOCKET)
    page.evaluate("void (globalThis.WebSocket = UnitySocket)")


def a_player_through_the_jslib_shares_a_room_with_udp() -> None:
    with ExitStack() as stack:
        server, port, url = stack.enter_context(room("--quiet"))
        page = stack.enter_context(browser(stack.enter_context(pages())))
        load(page)
        connect(page, url)
        until(page, "client.IsConnected")
        udp = stack.enter_context(Command("join", f"riptide-2.1+udp://127.0.0.1:{port}"))
        server.wait_for("client_connected", 2)
        page.evaluate(
            f"""for (let number = 0; number < {COUNT}; number += 1)
                client.Send(riptide.Message.Create(riptide.MessageSendMode.Reliable, 10).AddUInt(number).AddString("Grüße"));"""
        )
        numbers = [event["hex"][:8] for event in udp.wait_for("message", COUNT)]
        assert sorted(numbers) == sorted(number.to_bytes(4, "little").hex() for number in range(COUNT))
        for number in range(COUNT):
            udp.send(json.dumps({"command": "send", "message": {"id": 11, "values": f"uint:{number}"}}))
        until(page, f"client.numbers.length >= {COUNT}")
        seen = page.evaluate("client.numbers.map(([, number]) => number)")
        assert sorted(seen) == list(range(COUNT)), len(seen)
        assert page.evaluate("unity.heap().length") > 65536, "the memory has grown"
        page.evaluate("client.Disconnect()")
        assert server.wait_for("client_disconnected")[0]["reason"] == "Disconnected"
        # A released socket leaves nothing behind.
        until(page, "Object.keys(unity.sockets()).length === 0")


def the_jslib_reports_what_fails() -> None:
    """A closed port, an address that a page may not use, text, and a message that is too long for the memory of C#."""
    with pages() as address, room("--quiet", "--echo") as (_, _, url), browser(address, 800, 600, "light", "WebSocket") as page:
        load(page)
        open_socket = """(address) => {
            unity.heap().set([...new TextEncoder().encode(address), 0], 1024);
            return unity.GamewireWebSocketOpen(1024, 8);
        }"""
        closed = page.evaluate(open_socket, "ws://127.0.0.1:9/")
        until(page, f"unity.GamewireWebSocketState({closed}) === 2")
        invalid = page.evaluate(open_socket, "ftp://127.0.0.1/")
        until(page, f"unity.GamewireWebSocketState({invalid}) === 2")
        # A socket of 8 bytes a message: the server's reply to the heartbeat fits, that to a message of 20 bytes does not.
        short = page.evaluate(open_socket, url)
        until(page, f"unity.GamewireWebSocketState({short}) === 1")
        page.evaluate(
            f"""(() => {{
            const send = (bytes) => {{ unity.heap().set(bytes, 4096); unity.GamewireWebSocketSend({short}, 4096, bytes.length); }};
            send([2]);
            globalThis.sendLong = () => send([0, 42, ...new Array(20).fill(1)]);
        }})()"""
        )
        until(page, f"unity.GamewireWebSocketReceive({short}, 16384, 8) > 0")
        page.evaluate("sendLong()")
        until(page, f"unity.GamewireWebSocketState({short}) === 2")
        for socket in (closed, invalid, short, 12345):
            page.evaluate(f"unity.GamewireWebSocketClose({socket})")
            assert page.evaluate(f"unity.GamewireWebSocketReceive({socket}, 16384, 8)") == 0
        until(page, "Object.keys(unity.sockets()).length === 0")
