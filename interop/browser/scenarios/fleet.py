"""Several proxies and a NATS server."""

import json
import socket
import subprocess
import threading

from bus import Nats, Player, echo_server
from page import browser, program, until
from program import LIMIT, held_port


def proxy(server: int, nats_port: int, name: str, page: bool = True) -> list[str]:
    """Returns the arguments of a proxy of the fleet."""
    shown = ["--page", "127.0.0.1:0"] if page else []
    at = ["--listen", "riptide://127.0.0.1:0", "--to", f"127.0.0.1:{server}", "--json"]
    return ["proxy", *at, *shown, "--nats", f"nats://127.0.0.1:{nats_port}", "--nats-name", name, "--nats-records", "riptide.reliable"]


def one_page_shows_two_proxies_and_which_one_is_gone(folder: str) -> None:
    with echo_server() as server, Nats(folder) as bus:
        first = program(*proxy(server, bus.port, "first"), stdout=subprocess.PIPE)
        second = program(*proxy(server, bus.port, "second"), stdout=subprocess.PIPE)
        with first as (one, url), second as (other, _):
            assert one.stdout is not None and other.stdout is not None
            players = [Player(json.loads(it.stdout.readline())["port"]) for it in (one, other)]
            try:
                with browser(url) as page:
                    for name in ("first", "second"):
                        page.locator(f"#fleet-table tr[data-proxy='{name}'] td", has_text="playing").wait_for()
                    assert page.locator("#fleet-table a", has_text="open its page").count() == 2
                    address = page.locator("#fleet-table tr[data-proxy='second'] a").get_attribute("href")
                    opened = page.context.browser.new_page()
                    opened.goto(address)
                    until(opened, "globalThis.gamewire?.conversations.rows.size === 1")
                    until(opened, "gamewire.selection.conversation === 1 && gamewire.list.rows.length > 0")
                    opened.close()
                    players[0].echo("before")
                    # The second proxy dies: its conversations are gone, and the first one continues.
                    other.kill()
                    page.locator("#fleet-table tr[data-proxy='second'] td", has_text="gone").wait_for()
                    players[0].echo("after the proxy")
                    # NATS dies: the page says so, and players notice nothing.
                    bus.kill()
                    page.locator("#fleet-state", has_text="no connection").wait_for()
                    for number in range(20):
                        players[0].echo(f"without nats {number}")
                    with Nats(folder, bus.port):
                        page.locator("#fleet-state.good").wait_for()
                        packets = "Number(document.querySelector('#fleet-table tr td.number').textContent)"
                        before = page.evaluate(packets)
                        players[0].echo("again")
                        until(page, f"{packets} > {before}")
            finally:
                for player in players:
                    player.end()


def a_page_without_a_proxy_shows_the_fleet(folder: str) -> None:
    port = held_port()
    watching = program("inspect", "--page=127.0.0.1:0", "--nats", f"nats://127.0.0.1:{port}")
    with echo_server() as server, watching as (_, url), browser(url) as page:
        page.locator("#fleet-state", has_text="no connection").wait_for()
        # A proxy that starts before NATS finds it when it is there.
        with program(*proxy(server, port, "<b>*.> x"), stdout=subprocess.PIPE) as (one, _), Nats(folder, port):
            assert one.stdout is not None
            player = Player(json.loads(one.stdout.readline())["port"])
            player.echo("hello")
            page.locator("#fleet-table tr td", has_text="playing").wait_for()
            assert page.locator("#fleet-table th[scope=row]").inner_text() == "<b>*.> x"
            player.end()


def what_nats_refuses_is_on_the_page_and_on_standard_error(folder: str) -> None:
    """A wrong password, then a user who may not publish states."""
    users = """authorization { users = [
        {user: good, password: right, permissions: {publish: {deny: "gamewire.*.state"}}}
    ] }"""
    with Nats(folder, config=users) as bus, echo_server() as server:
        for password, reason in (("wrong", "authorization violation"), ("right", "Permissions Violation for Publish")):
            arguments = proxy(server, bus.port, "east")
            at = arguments.index("--nats") + 1
            arguments[at] = f"nats://good:{password}@127.0.0.1:{bus.port}"
            with program(*arguments, stdout=subprocess.PIPE) as (_, url), browser(url) as page:
                page.locator("#fleet-state", has_text=reason).wait_for()


def g7_nats_that_lies_is_bounded(folder: str) -> None:
    """A server of NATS's protocol that sends what no proxy would."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(LIMIT)
    port = listener.getsockname()[1]
    is_over = threading.Event()

    def lie() -> None:
        connection, _ = listener.accept()
        connection.sendall(b'INFO {"server_id":"x","version":"2.9.0","max_payload":1,"proto":1,"headers":true}\r\n')
        reader = connection.makefile("rb")
        subscription = b"1"
        for line in reader:
            if line.startswith(b"PING"):
                connection.sendall(b"PONG\r\n")
            if line.startswith(b"SUB gamewire"):
                subscription = line.split()[-1]
                break
        identity = {"instance": "a", "listen": "", "to": "", "sequence": 1, "packets": 1, "bytes": 1, "errors": 0, "records_dropped": 0}
        try:
            for number in range(2_000):
                state = {**identity, "name": f"<img src=x onerror=alert(1)> {number}", "page": "javascript:alert(1)", "conversations": []}
                for body in (json.dumps(state).encode(), b"{", b"\xff" * 100):
                    connection.sendall(b"MSG gamewire.x.state " + subscription + b" %d\r\n" % len(body) + body + b"\r\n")
            is_over.wait(LIMIT)
        except OSError:
            pass
        connection.close()

    liar = threading.Thread(target=lie)
    liar.start()
    try:
        with program("inspect", "--page=127.0.0.1:0", "--nats", f"nats://127.0.0.1:{port}") as (_, url), browser(url) as page:
            until(page, "document.querySelectorAll('#fleet-table tbody tr').length === 256")
            assert page.locator("#fleet img, #fleet a").count() == 0
    finally:
        is_over.set()
        listener.close()
        liar.join()


def g7_nats_that_never_reads_holds_nothing_up() -> None:
    """A server that takes nothing after the greeting: records are dropped and counted, and the game continues."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    listener.settimeout(LIMIT)
    connections = []
    is_connected = threading.Event()

    def greet() -> None:
        connection, _ = listener.accept()
        connection.sendall(b'INFO {"server_id":"x","version":"2.9.0","max_payload":1048576,"proto":1,"headers":true}\r\n')
        connection.recv(1024)
        connection.sendall(b"PONG\r\n")
        connections.append(connection)
        is_connected.set()

    slow = threading.Thread(target=greet)
    slow.start()
    try:
        with echo_server() as server, program(*proxy(server, listener.getsockname()[1], "slow"), stdout=subprocess.PIPE) as (one, _):
            assert one.stdout is not None
            player = Player(json.loads(one.stdout.readline())["port"])
            assert is_connected.wait(LIMIT), "the proxy connects to NATS"
            for number in range(200):
                player.echo("x" * 1_000 + str(number))
            player.end()
    finally:
        slow.join()
        for connection in connections:
            connection.close()
        listener.close()
