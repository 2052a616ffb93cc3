"""Logins in each dialect through a network that loses 30 % of the datagrams in each direction."""

from concurrent.futures import ThreadPoolExecutor

import player
from servers import Server

# In every run, and with --long.
LOGINS, MANY_LOGINS = 10, 50
# DDNet counts connections of one address in a time, and all servers have room for 64 players.
ROOM = {"sv_max_clients": "64", "sv_max_clients_per_ip": "64"}
DDNET = ROOM | {"sv_connlimit": "100", "sv_connlimit_time": "1"}


def login(url: str, number: int) -> str:
    """Plays one login. Returns the dialect of a player that entered the game, or its session otherwise."""
    visitor = player.Player(url, "--name", f"visitor {number}", "--impair", "loss=30%", "--timeout", "20s")
    events = visitor.until(entered=1)
    session = visitor.leave()
    connected = [event["dialect"] for event in events if event["event"] == "connected"]
    return connected[0] if events and events[-1]["event"] == "entered" else f"{events} {session}"


def all_enter(is_long: bool, kind: str, scheme: str, dialect: str, **settings: str) -> None:
    """All logins end in the game, before a side gives up."""
    logins = MANY_LOGINS if is_long else LOGINS
    with Server(kind, **settings) as server, ThreadPoolExecutor(logins) as pool:
        outcomes = list(pool.map(lambda number: login(server.url(scheme), number), range(logins)))
        failed = [outcome for outcome in outcomes if outcome != dialect]
        assert not failed, f"{len(failed)} of {logins}:\n" + "\n".join(failed) + server.log()


def teeworlds_0_7_5(is_long: bool) -> None:
    """teeworlds-server 0.7.5."""
    all_enter(is_long, "teeworlds", "tw-0.7+udp", "tw-0.7", **ROOM)


def ddnet_16_4_any_0_6(is_long: bool) -> None:
    """DDNet-Server 16.4 with its tokens, by an offer of any 0.6."""
    all_enter(is_long, "ddnet", "tw-0.6+udp", "tw-0.6-tken", **DDNET)


def ddnet_16_4_without_tokens(is_long: bool) -> None:
    """DDNet-Server 16.4 without tokens."""
    all_enter(is_long, "ddnet", "tw-0.6.4+udp", "tw-0.6", **DDNET)


def ddnet_16_4_0_7(is_long: bool) -> None:
    """DDNet-Server 16.4 in 0.7."""
    all_enter(is_long, "ddnet", "tw-0.7+udp", "tw-0.7", **DDNET)


def ddnet_19_1_any_0_6(is_long: bool) -> None:
    """DDNet-Server 19.1 with its tokens, by an offer of any 0.6."""
    all_enter(is_long, "ddnet-19", "tw-0.6+udp", "tw-0.6-tken", **DDNET)


def ddnet_19_1_without_tokens(is_long: bool) -> None:
    """DDNet-Server 19.1 without tokens."""
    all_enter(is_long, "ddnet-19", "tw-0.6.4+udp", "tw-0.6", **DDNET)


def ddnet_19_1_0_7(is_long: bool) -> None:
    """DDNet-Server 19.1 in 0.7."""
    all_enter(is_long, "ddnet-19", "tw-0.7+udp", "tw-0.7", **DDNET)


def ddnet_19_1_antispoof(is_long: bool) -> None:
    """DDNet-Server 19.1 without tokens, with its antispoof handshake."""
    all_enter(is_long, "ddnet-19", "tw-0.6.4+udp", "tw-0.6", sv_vanilla_antispoof="1", **DDNET)


def ddnet_20_1_any_0_6(is_long: bool) -> None:
    """DDNet-Server 20.1 with its tokens, by an offer of any 0.6."""
    all_enter(is_long, "ddnet-20", "tw-0.6+udp", "tw-0.6-tken", **DDNET)


def ddnet_20_1_without_tokens(is_long: bool) -> None:
    """DDNet-Server 20.1 without tokens."""
    all_enter(is_long, "ddnet-20", "tw-0.6.4+udp", "tw-0.6", **DDNET)


def ddnet_20_1_0_7(is_long: bool) -> None:
    """DDNet-Server 20.1 in 0.7."""
    all_enter(is_long, "ddnet-20", "tw-0.7+udp", "tw-0.7", **DDNET)


def ddnet_20_1_antispoof(is_long: bool) -> None:
    """DDNet-Server 20.1 without tokens, with its antispoof handshake."""
    all_enter(is_long, "ddnet-20", "tw-0.6.4+udp", "tw-0.6", sv_vanilla_antispoof="1", **DDNET)
