"""`gamewire proxy` between our player and the real servers."""

import gamewire
from proxy import Proxy
from server import Server


def games_of_every_version_pass_and_read_back() -> None:
    """Ten turns through the proxy on each version: nothing is refused, and the recording has all packets."""
    for version in ("3.0", "3.1", "3.2"):
        with Server(version=version, aifill="2") as server, Proxy("freeciv", server.port) as proxy:
            ended = gamewire.run("join", proxy.url("freeciv"), "--json", "--name", "alice", "--start", "--turns", "10")
            assert ended.returncode == 0, ended
            assert len(gamewire.events(ended, "turn")) == 10, ended
            summary = proxy.stop()
            assert summary["clients"] == 1, summary
            (closed,) = proxy.all("client_closed")
            assert closed["reason"] == "closed by the client", closed
