"""Players of Riptide in the browser, in one room with players over UDP and TCP."""

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path

import gamewire
from page import browser, until
from room import Command, connect, pages, room

COUNT = 1000


def players_in_browsers_and_over_udp_and_tcp_share_a_room() -> None:
    with ExitStack() as stack:
        server, port, url = stack.enter_context(room("--quiet"))
        page = stack.enter_context(browser(stack.enter_context(pages())))
        connect(page, url)
        until(page, "client.IsConnected")
        assert server.wait_for("client_connected")[0]["transport"] == "websocket"
        udp = stack.enter_context(Command("join", f"riptide-2.1+udp://127.0.0.1:{port}"))
        tcp = stack.enter_context(Command("join", f"riptide-2.1+tcp://127.0.0.1:{port}"))
        ws = stack.enter_context(Command("join", url.rstrip("/").replace("ws://", "riptide-2.1+ws://")))
        players = (udp, tcp, ws)
        transports = {event["transport"] for event in server.wait_for("client_connected", 3)}
        assert transports == {"udp", "tcp", "websocket"}, transports
        until(page, "client.log.filter(([event]) => event === 'ClientConnected').length === 3")
        # The page sends reliable messages with all kinds of values; every other player receives each once and reads them.
        page.evaluate(
            f"""for (let number = 0; number < {COUNT}; number += 1) client.Send(riptide.Message.Create(riptide.MessageSendMode.Reliable, 10)
                .AddUInt(number).AddBool(number % 2 === 0).AddString("Grüße").AddVarLong(-number).AddFloats([1.5, -2]));"""
        )
        for player in players:
            numbers = [event["hex"][:8] for event in player.wait_for("message", COUNT)]
            assert sorted(numbers) == sorted(number.to_bytes(4, "little").hex() for number in range(COUNT))
        # Each of them sends a thousand messages back.
        for player in players:
            for number in range(COUNT):
                player.send(json.dumps({"command": "send", "message": {"id": 11, "values": f"uint:{number}"}}))
        until(page, f"client.numbers.length >= {3 * COUNT}")
        seen = page.evaluate("client.numbers.map(([, number]) => number)")
        assert sorted(seen) == sorted(3 * list(range(COUNT))), len(seen)
        page.evaluate("client.Send(riptide.Message.Create(riptide.MessageSendMode.Unreliable, 12).AddUInt(7))")
        assert "unreliable" in [event["mode"] for event in udp.wait_for("message", 2 * COUNT + 1)]
        until(page, "client.Unacknowledged === 0 && client.SmoothRTT > 0")
        page.evaluate("client.Disconnect()")
        assert server.wait_for("client_disconnected")[0]["reason"] == "Disconnected"


def a_page_of_another_origin_is_refused() -> None:
    with room("--ws-origin", "https://game.example") as (server, _, url), pages() as address:
        with browser(address, 800, 600, "light", "WebSocket") as page:
            connect(page, url)
            until(page, "client.IsNotConnected")
            assert page.evaluate("client.log") == [["ConnectionFailed", 0, None]]
        assert server.wait_for("origin_refused")[0]["origin"] == address.rstrip("/")


def a_kick_and_a_rejection_reach_the_page_with_their_data() -> None:
    options = ("--require-data", 'string:"let me in"', "--reject-data", 'string:"who are you?"')
    with room(*options) as (server, _, url), pages() as address, browser(address) as page:
        connect(page, url)
        until(page, "client.log.length === 1")
        assert page.evaluate("client.log") == [["ConnectionFailed", 4, "who are you?"]]
        page.evaluate(f"client.Connect({json.dumps(url)}, 5, riptide.Message.Create().AddString('let me in'))")
        until(page, "client.IsConnected")
        server.send(json.dumps({"command": "kick", "client": 1, "values": 'string:"bye"'}))
        until(page, "client.IsNotConnected")
        assert page.evaluate("client.log.at(-1)") == ["Disconnected", 4, "bye"]


def a_hidden_page_keeps_its_place_while_its_timers_are_slow() -> None:
    with room("--quiet") as (server, _, url), pages() as address, browser(address) as page:
        connect(page, url)
        until(page, "client.IsConnected")
        # The timers of a page that is hidden for long run once a minute; those of a worker do not.
        page.evaluate("(() => { const slow = setInterval; globalThis.setInterval = (task, time) => slow(task, 60000); })()")
        connect(page, url, "hidden")
        until(page, "hidden.IsConnected")
        page.wait_for_timeout(15_000)
        assert page.evaluate("hidden.IsConnected && hidden.SmoothRTT > 0")
        assert not any('"client_disconnected"' in line for line in server.lines.queue)


def a_page_joins_again_after_its_connection_was_lost() -> None:
    with room("--quiet") as (server, port, url), pages() as address, browser(address, 800, 600, "light", "WebSocket") as page:
        connect(page, url)
        page.evaluate("client.ReconnectTime = 60")
        until(page, "client.IsConnected")
        page.evaluate("client._socket.close()")
        until(page, "client.log.some(([event]) => event === 'Reconnected')")
        assert page.evaluate("client.IsConnected && client.log.filter(([event]) => event !== 'ClientDisconnected')") == [
            ["Connected", None, None],
            ["Reconnected", page.evaluate("client.Id"), None],
        ]
        assert server.wait_for("client_disconnected")[0]["client"] == 1


def notify_messages_are_confirmed() -> None:
    with room("--quiet", "--echo") as (_, _, url), pages() as address, browser(address) as page:
        connect(page, url)
        page.evaluate("(client.delivered = [], client.NotifyDelivered.add((id) => client.delivered.push(id)))")
        until(page, "client.IsConnected")
        # A message is confirmed by the next one of the server.
        for number in range(1, 6):
            page.evaluate(f"client.Send(riptide.Message.Create(riptide.MessageSendMode.Notify).AddUInt({number}))")
            until(page, f"client.numbers.length === {number}")
        assert page.evaluate("client.delivered") == [1, 2, 3, 4, 5]
        assert page.evaluate("client.numbers") == [[0, number] for number in range(1, 6)]


GAME = """
[[message]]
id = 20
name = "player_move"
fields = ["tick: ushort", "position: vector3", "items: int[]", "weapon: weapon", "flags: bits:40", "who: string", "far: long"]

[[struct]]
name = "weapon"
fields = ["ammo: byte", "mods: bool[4]"]
"""


def classes_of_a_message_file_are_read_by_players_with_the_same_file() -> None:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        file = Path(folder) / "game.toml"
        file.write_text(GAME)
        compiled = gamewire.run("compile", str(file), "--emit", "javascript")
        assert compiled.returncode == 0, compiled.stderr
        server, port, url = stack.enter_context(room("--quiet"))
        page = stack.enter_context(browser(stack.enter_context(pages(compiled.stdout))))
        connect(page, url)
        until(page, "client.IsConnected")
        udp = stack.enter_context(Command("join", f"riptide-2.1+udp://127.0.0.1:{port}", "--messages", str(file)))
        server.wait_for("client_connected", 2)
        page.evaluate(
            """import("/messages.js").then(({ PlayerMove, Weapon }) => {
            client.Handle(PlayerMove, (move) => (client.move = [move.tick, move.items, move.weapon.mods, move.who, String(move.far)]));
            client.Send(new PlayerMove({
                tick: 5, position: { x: 1, y: -2, z: 0.5 }, items: [1, -1], weapon: new Weapon({ ammo: 7, mods: [true, false, true, true] }),
                flags: 0xff_ffff_ffffn, who: "Grüße", far: -(2n ** 63n),
            }));
        })"""
        )
        fields = udp.wait_for("message")[0]["fields"]
        assert fields["tick"] == 5 and fields["items"] == [1, -1] and fields["who"] == "Grüße", fields
        assert fields["weapon"] == {"ammo": 7, "mods": [True, False, True, True]}, fields
        values = 'tick=6 position=1,2,3 items=[4] weapon={ammo=1 mods=[false,false,true,true]} flags=1 who="x" far=-5'
        udp.send(json.dumps({"command": "send", "message": {"name": "player_move", "values": values}}))
        until(page, "client.move !== undefined")
        assert page.evaluate("client.move") == [6, [4], [False, False, True, True], "x", "-5"]
