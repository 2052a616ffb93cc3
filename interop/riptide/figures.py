"""The figures of `gamewire serve riptide`: as Prometheus metrics, and on a terminal."""

import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
import time
from contextlib import ExitStack
from typing import Optional

from ours import Ours
import program
from program import LIMIT
from runner import Skipped
from screen import Terminal
from theirs import TheirClient, for_a_while, until


def get(port: int, path: str = "/metrics", host: Optional[str] = None, method: str = "GET") -> tuple[int, str]:
    """Returns the status and the text of a page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
    connection.request(method, path, headers={"Host": host} if host else {})
    response = connection.getresponse()
    return response.status, response.read().decode()


def scraped(port: int) -> dict[str, float]:
    """Returns the metrics of a relay by name and labels, without their prefix."""
    status, page = get(port)
    assert status == 200, (status, page)
    samples = (line.rsplit(" ", 1) for line in page.splitlines() if not line.startswith("#"))
    return {name.removeprefix("gamewire_riptide_"): float(value) for name, value in samples}


def metrics_port(server: Ours) -> int:
    """Waits until a server listens and returns the port of its metrics."""
    until([], lambda: bool(server.all("metrics")), "our server and its metrics listen")
    (event,) = server.all("metrics")
    assert event["url"] == f"http://127.0.0.1:{event['port']}/metrics", event
    return int(event["port"])


def shows(port: int, peers: list[TheirClient], expected: dict[str, float]) -> None:
    """Waits until the metrics have these values."""
    end = time.monotonic() + LIMIT
    while differing := {name: figures.get(name) for figures in [scraped(port)] for name in expected
                        if figures.get(name) != expected[name]}:
        assert time.monotonic() < end, (differing, expected)
        for_a_while(peers, 0.1)


# Datagrams that fit into the buffer of a socket, which has room for 256 of any size with the defaults of Linux.
BURST = 200


def send_in_bursts(client: TheirClient, metrics: int, number: int, count: int) -> None:
    """Sends unreliable messages in bursts that a socket's buffer can hold, each when the server has received the last one."""
    received = 'messages_received_total{mode="unreliable"}'
    before = scraped(metrics)[received]
    for value in range(count):
        client.send("unreliable", number, value)
        if value % BURST == BURST - 1:
            until([client], lambda: scraped(metrics)[received] > before + value, "the server receives each message")


def metrics_equal_what_was_sent() -> None:
    """Two clients on two transports send in every mode, one leaves and one is kicked: each figure is what was done."""
    served = ["serve", "riptide", "--bind", "127.0.0.1:0", "--relay", "10-20", "--echo", "--metrics", "0"]
    with ExitStack() as stack:
        server = stack.enter_context(Ours(*served))
        metrics = metrics_port(server)
        port = server.port()
        ours = stack.enter_context(Ours("join", f"riptide-2.1+udp://127.0.0.1:{port}"))
        until([], lambda: bool(ours.all("connected")), "ours is connected")
        theirs = TheirClient("tcp", port, "figures")
        until([theirs], lambda: theirs.is_connected, "theirs is connected")
        ours.type("\n".join(f"reliable 10 int:{value}" for value in range(30)))
        ours.type("\n".join(f"unreliable 11 int:{value}" for value in range(20)))
        ours.type("\n".join(f"notify int:{value}" for value in range(5)))
        for value in range(7):
            theirs.send("reliable", 15, value)
            theirs.send("unreliable", 21, value)
        with socket.socket(type=socket.SOCK_DGRAM) as stranger:
            stranger.sendto(b"\x04", ("127.0.0.1", port))
        shows(
            metrics,
            [theirs],
            {
                'clients{version="2.1",transport="udp"}': 1,
                'clients{version="2.0",transport="tcp"}': 0,
                'clients{version="2.1",transport="tcp"}': 1,
                "clients_peak": 2,
                "clients_max": 10,
                "clients_connected_total": 2,
                "half_open_connections": 0,
                'messages_received_total{mode="reliable"}': 37,
                'messages_received_total{mode="unreliable"}': 27,
                'messages_received_total{mode="notify"}': 5,
                'messages_relayed_total{mode="reliable"}': 37,
                'messages_relayed_total{mode="unreliable"}': 20,
                'messages_relayed_total{mode="notify"}': 0,
                'messages_echoed_total{mode="unreliable"}': 7,
                'messages_echoed_total{mode="notify"}': 5,
                'packets_dropped_total{reason="unknown_address"}': 1,
                'packets_dropped_total{reason="malformed"}': 0,
                "streams_opened_total": 1,
                'streams_ended_total{cause="ended"}': 0,
            },
        )
        ours.type("/quit")
        server.type("kick 2")
        shows(
            metrics,
            [theirs],
            {
                'clients{version="2.1",transport="udp"}': 0,
                'clients{version="2.1",transport="tcp"}': 0,
                "clients_peak": 2,
                'clients_disconnected_total{reason="Disconnected"}': 1,
                'clients_disconnected_total{reason="Kicked"}': 1,
            },
        )
        figures = scraped(metrics)
        server.type("stop")
        assert server.end() == 0, server
        (summary,) = server.all("summary")
        for direction in ("sent", "received"):
            total = sum(figures[f'{direction}_bytes_total{{transport="{name}"}}'] for name in ("udp", "tcp"))
            assert total == summary["bytes"][direction], (figures, summary)
            assert figures[f"{direction}_datagrams_total"] == summary["datagrams"][direction], (figures, summary)
        assert (summary["messages"], summary["relayed"], summary["echoed"]) == (69, 57, 12), summary
        assert ours.end() == 0, ours


def refusals_and_the_relay_budget_are_counted() -> None:
    """A full server, wrong connect data, and a client over its budget."""
    served = ["serve", "riptide", "--bind", "127.0.0.1:0", "--max-clients", "1", "--metrics", "0", "--quiet"]
    with Ours(*served, "--require-data", 'string:"in"', "--relay-budget", "100") as server:
        metrics = metrics_port(server)
        port = server.port()
        wrong = TheirClient("udp", port, "out")
        until([wrong], lambda: wrong.is_refused, "wrong data are refused")
        theirs = TheirClient("udp", port, "in")
        until([theirs], lambda: theirs.is_connected, "theirs is connected")
        late = TheirClient("udp", port, "in")
        until([theirs, late], lambda: late.is_refused, "the server is full")
        send_in_bursts(theirs, metrics, 10, 4 * BURST)
        shows(metrics, [theirs], {'messages_received_total{mode="unreliable"}': 4 * BURST, "connects_refused_total": 1})
        figures = scraped(metrics)
        # The port asks again until it reads the answer.
        assert figures["connects_rejected_full_total"] >= 1, figures
        assert figures["relay_dropped_total"] + figures['messages_relayed_total{mode="unreliable"}'] == 4 * BURST, figures
        assert figures["relay_dropped_total"] >= 200, figures


def other_requests_than_scrapes_are_refused() -> None:
    """Other paths, methods and hosts, and the port of another server."""
    with Ours("serve", "riptide", "--bind", "127.0.0.1:0", "--metrics", "0") as server:
        metrics = metrics_port(server)
        assert get(metrics, "/")[0] == 404
        assert get(metrics, method="POST")[0] == 405
        assert get(metrics, host="rebound.example")[0] == 403
        assert get(metrics, host=f"localhost:{metrics}")[0] == 200
        with Ours("serve", "riptide", "--bind", "127.0.0.1:0", "--metrics", str(metrics)) as second:
            assert second.end() == 1
            (error,) = second.errors
            assert error.startswith(f"error: cannot listen on 127.0.0.1:{metrics} for metrics: "), error
            assert not second.events, "before it listens for clients"
        server.process.send_signal(signal.SIGTERM)
        assert server.end() == 0
        try:
            get(metrics)
        except ConnectionRefusedError:
            return
        raise AssertionError("the port is still open")


def promtool_accepts_the_metrics() -> None:
    """Prometheus' own check of the format, names and units."""
    if shutil.which("promtool") is None:
        raise Skipped("no promtool: Debian's package prometheus")
    with Ours("serve", "riptide", "--bind", "127.0.0.1:0", "--metrics", "0") as server:
        page = get(metrics_port(server))[1]
        checked = subprocess.run(
            ["promtool", "check", "metrics"], input=page, capture_output=True, text=True, timeout=LIMIT, check=False
        )
        assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", ""), checked


# Three events, the four rows of the status, and what is typed.
STATUS = re.compile(
    r"(.*\n){2}.* message .*\n"
    r"clients   1 of 10, peak 1; up [0-9:]+.*\n"
    r"messages .*/s relayed; 0 dropped, 0 deferred\n"
    r"traffic   .*\nslowest   client 1: .*\n> sen"
)


def shown_port(terminal: Terminal) -> int:
    """Waits until the server on a terminal listens and prompts, and returns its port."""
    found: list[re.Match[str]] = []
    terminal.waits_for("> ")
    program.until(lambda: found.extend(re.finditer(r"127\.0\.0\.1:([0-9]+)", terminal.read())) or found, terminal.rows)
    return int(found[0][1])


def a_terminal_shows_figures_below_the_events() -> None:
    """The status stays below the events and above the typed line, and is gone at the end."""
    for stop in ("stop\n", "\x04", signal.SIGINT, signal.SIGTERM):
        terminal = Terminal("serve", "riptide", "--bind", "127.0.0.1:0", environment={"NO_COLOR": "1"})
        theirs = TheirClient("udp", shown_port(terminal), "screen")
        until([theirs], lambda: theirs.is_connected, "theirs is connected")
        theirs.send("reliable", 10, 5)
        until([theirs], lambda: " message " in terminal.read(), "the message is printed")
        terminal.type("sen")
        # It is drawn row by row.
        until([theirs], lambda: terminal.read() and STATUS.fullmatch("\n".join(terminal.rows())), terminal.rows)
        assert "\x1b[2m" not in terminal.shown, "no styles with NO_COLOR"
        terminal.type("\x15")
        if isinstance(stop, str):
            terminal.type(stop)
        else:
            terminal.process.send_signal(stop)
        assert terminal.ends("1 messages, 1 relayed; sent") == 0
        assert not any(row.startswith(("clients ", "slowest ")) for row in terminal.rows()), terminal.rows()


def many_events_move_the_status_ten_times_a_second() -> None:
    """300 messages in a second are all printed, and the status is drawn a few times."""
    terminal = Terminal("serve", "riptide", "--bind", "127.0.0.1:0")
    theirs = TheirClient("udp", shown_port(terminal), "many")
    until([theirs], lambda: theirs.is_connected, "theirs is connected")
    drawn = terminal.read().count("> ")
    began = time.monotonic()
    for value in range(300):
        theirs.send("unreliable", 10, value)
        for_a_while([theirs], 0.003)
    until([theirs], lambda: terminal.read().count(" client 1, unreliable 10") == 300, "every message is printed")
    seconds = time.monotonic() - began
    # And once a second with new figures.
    assert terminal.read().count("> ") - drawn <= 11 * seconds + 2, terminal.shown
    terminal.waits_for_rows(lambda rows: rows[-1] == "> ")
    terminal.type("stop\n")
    assert terminal.ends("300 messages, 300 relayed; sent") == 0


def no_figures_without_a_terminal() -> None:
    """Output to a pipe has no status, with or without JSON; nor has JSON on a terminal."""
    served = ["serve", "riptide", "--bind", "127.0.0.1:0", "--duration", "1500ms"]
    with Ours(*served) as server:
        assert server.end() == 0
        assert [event["event"] for event in server.events] == ["listening", "summary"]
    terminal = Terminal(*served, "--json")
    assert terminal.ends('"summary"') == 0
    printed = [row for row in terminal.rows() if row not in ("", "> ")]
    assert [json.loads(row)["event"] for row in printed] == ["listening", "summary"], terminal.rows()
