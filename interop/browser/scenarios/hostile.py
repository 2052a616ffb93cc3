"""Readers and peers that mean no good. The names begin with those of the attacks in SECURITY.md."""

import http.client
import json
import resource
import socket
import subprocess
import time
from pathlib import Path
from typing import Optional
from urllib.parse import urlsplit

import gamewire
from page import TEEWORLDS, browser, program
from program import LIMIT, until

# The state in the kernel's list of connections.
ESTABLISHED = "01"
SCRIPT = "<script>alert(1)</script>"


def g4_a_script_as_a_name_stays_text() -> None:
    arguments = ["serve", "riptide", "--bind", "127.0.0.1:0", "--json", "--page", "127.0.0.1:0"]
    with program(*arguments, stdout=subprocess.PIPE) as (process, url):
        assert process.stdout is not None
        port = json.loads(process.stdout.readline())["port"]
        image = '<img src=x onerror="alert(2)">'
        gamewire.run("join", f"riptide-2.0+udp://127.0.0.1:{port}", "--connect-data", f"string:{json.dumps(SCRIPT + image)}", "--for", "2s")
        with browser(url) as page:
            page.locator(".row", has_text="connect").first.click()
            page.locator(".letters").first.wait_for()
            assert page.locator("main script, main img").count() == 0
            letters = "".join(page.locator(".letters").all_text_contents())
            assert SCRIPT in letters, letters


def g4_a_script_in_the_link_stays_text() -> None:
    with program("inspect", "--page=127.0.0.1:0") as (_, url), browser(url + "#hex=" + SCRIPT) as page:
        page.get_by_text("expected hexadecimal digits").wait_for()
        assert page.locator("main script").count() == 0


def g4_a_link_with_megabytes_is_refused() -> None:
    with program("inspect", "--page=127.0.0.1:0") as (_, url), browser(url) as page:
        page.evaluate("location.hash = 'hex=' + '00'.repeat(1 << 20)")
        page.get_by_text("The link holds too many bytes.").wait_for()
        assert request(url, "POST", "/api/explain", body=b"0" * (2 << 20), Content_Type="application/json")[0] == 413


def request(url: str, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    """Returns status and body of an answer."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=LIMIT)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read(100_000)
    except ConnectionError:
        return 413, b""
    finally:
        connection.close()


def g4_other_pages_and_host_names_are_refused() -> None:
    with program("inspect", "--page=127.0.0.1:0", str(TEEWORLDS)) as (_, url):
        assert request(url, "GET", "/api/status")[0] == 200
        for headers in [
            {"Host": "evil.example"},
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Sec_Fetch_Site": "cross-site"},
        ]:
            for path in ["/api/status", "/api/events", "/api/download", "/assets/app.js"]:
                assert request(url, "GET", path, **headers)[0] == 403, (path, headers)
            assert request(url, "POST", "/api/explain", b'{"hex":"00"}', **headers)[0] == 403
        policy = http.client.HTTPConnection(urlsplit(url).netloc, timeout=LIMIT)
        policy.request("GET", "/")
        answer = policy.getresponse()
        assert "default-src 'none'" in answer.getheader("content-security-policy", "")
        policy.close()


def g4_elsewhere_than_loopback_the_page_requires_its_token() -> None:
    with program("inspect", "--page=0.0.0.0:0", str(TEEWORLDS)) as (_, url):
        port = urlsplit(url).port
        here = f"http://127.0.0.1:{port}/"
        token = url.split("token=")[1]
        assert request(here, "GET", "/")[0] == 401 and request(here, "GET", "/api/status")[0] == 401
        assert request(here, "GET", f"/?token={token}")[0] == 303
        assert request(here, "GET", "/api/status", Cookie=f"gamewire_token_{port}={token}")[0] == 200
        assert request(here, "GET", "/api/status", Cookie=f"gamewire_token_{port}={token[:-1]}x")[0] == 401


def g4_a_tab_that_never_reads_is_cut_off_and_the_traffic_goes_on() -> None:
    with program("demo", "--json", "--page", "127.0.0.1:0", "--players", "8") as (_, url):
        lazy, port = [], urlsplit(url).port
        for _ in range(20):
            tab = socket.create_connection(("127.0.0.1", port))
            tab.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            tab.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            lazy.append(tab)
        until(lambda: connections(port) >= len(lazy), "every tab is connected", 0.1)
        seen = packets(url)
        until(lambda: packets(url) > seen + 500, "the traffic goes on", 0.1)
        until(lambda: connections(port) == 0, "a tab that never reads is cut off", 0.5)
        for tab in lazy:
            tab.close()


def packets(url: str) -> int:
    """Returns the number of packets that the program has seen."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=LIMIT)
    connection.request("GET", "/api/status")
    status = json.loads(connection.getresponse().read())
    connection.close()
    return status["totals"]["packets"]


def connections(port: Optional[int]) -> int:
    """Returns the number of connections to a port that their server has not closed."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == ESTABLISHED for row in rows)


def g4_ten_thousand_tabs_are_bounded_and_the_page_is_served_after_them() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (12_000, 12_000))
    with program("demo", "--json", "--page", "127.0.0.1:0", "--players", "1") as (process, url):
        port = urlsplit(url).port
        tabs = []
        for _ in range(20):
            for _ in range(500):
                tab = socket.socket()
                tab.setblocking(False)
                try:
                    tab.connect(("127.0.0.1", port))
                except BlockingIOError:
                    pass
                tabs.append(tab)
            time.sleep(0.1)
        with open(f"/proc/{process.pid}/status") as status:
            memory = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        assert len(list(Path(f"/proc/{process.pid}/fd").iterdir())) < 300
        assert memory < 400_000, memory
        for tab in tabs:
            tab.close()
        before = packets(url)
        until(lambda: packets(url) > before, "the traffic goes on", 0.1)
