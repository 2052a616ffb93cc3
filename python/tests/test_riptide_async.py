"""Clients and servers of Riptide in an event loop."""

import asyncio
import subprocess
import sys

import pytest
from gamewire.riptide import (
    AsyncClient,
    AsyncServer,
    ClientConnected,
    ClientDisconnected,
    ClosedError,
    Delivery,
    Disconnected,
    MessageSendMode,
    Received,
    create,
    createInternal,
)


def text(content, id=1, mode=MessageSendMode.Reliable):
    message = create(mode, id)
    message.putString(content)
    return message


def data(content):
    message = createInternal()
    message.putString(content)
    return message


@pytest.mark.parametrize("transport, version", [("udp", "2.1"), ("tcp", "2.1"), ("udp", "2.0"), ("tcp", "2.0")])
def test_a_server_answers_its_clients(transport, version):
    async def serve(server):
        kinds = []
        async for event in server:
            kinds.append(type(event))
            if isinstance(event, Received):
                assert event.id == 1
                server.send(text(event.message.getString() + " yourself", 2), event.client)
            elif isinstance(event, ClientDisconnected):
                assert event.reason == "Disconnected"
                return kinds

    async def main():
        async with AsyncServer(0, host="127.0.0.1") as server:
            serving = asyncio.create_task(serve(server))
            address = ("127.0.0.1", server.port)
            async with await AsyncClient.connect(address, transport=transport, version=version) as client:
                assert client.id == 1 and server.clients == [1]
                client.send(text("hello"))
                event = await client.next_event(10)
                assert event.message.getString() == "hello yourself" and event.client is None
            return await asyncio.wait_for(serving, 10)

    assert asyncio.run(main()) == [ClientConnected, Received, ClientDisconnected]


def test_a_server_rejects_and_kicks():
    async def main():
        server = AsyncServer(0, host="127.0.0.1", accept=lambda it: it.getString() == "let me in")
        async with server:
            address = ("127.0.0.1", server.port)
            with pytest.raises(ConnectionRefusedError, match="Rejected"):
                await AsyncClient.connect(address, data=data("open sesame"))
            async with await AsyncClient.connect(address, data=data("let me in")) as client:
                server.kick(client.id, data("bye"))
                events = [event async for event in client]
                with pytest.raises(ClosedError):
                    client.send(text("still here"))
                return events

    (event,) = asyncio.run(main())
    assert isinstance(event, Disconnected) and event.reason == "Kicked" and event.data.getString() == "bye"


def test_the_delivery_of_messages_is_an_event():
    async def main():
        async with AsyncServer(0, host="127.0.0.1") as server:
            address = ("127.0.0.1", server.port)
            async with await AsyncClient.connect(address, delivery_events=True) as client:
                number = client.send(text("hello"))
                # The answer to the server's welcome is a reliable message, too.
                while (event := await client.next_event(10)) != Delivery(None, number, "reliable_delivered"):
                    assert isinstance(event, Delivery) and event.seq_id < number

    asyncio.run(main())


def test_relayed_messages_reach_the_other_clients():
    async def main():
        async with AsyncServer(0, host="127.0.0.1") as server:
            server.relay(1)
            address = ("127.0.0.1", server.port)
            async with await AsyncClient.connect(address) as one, await AsyncClient.connect(address) as other:
                assert await one.next_event(10) == ClientConnected(other.id)
                one.send(text("to the other"))
                return (await other.next_event(10)).message.getString()

    assert asyncio.run(main()) == "to the other"


def test_a_missing_server_is_a_connection_error():
    async def main():
        async with AsyncServer(0, host="127.0.0.1") as server:
            port = server.port
        with pytest.raises(ConnectionError):
            await AsyncClient.connect(("127.0.0.1", port), transport="tcp")
        with pytest.raises(ConnectionRefusedError, match=f"no answer from 127.0.0.1:{port} .NoConnection.") as caught:
            await AsyncClient.connect(("127.0.0.1", port), attempts=1)
        assert caught.value.args[1].reason == "NoConnection"

    asyncio.run(main())


def test_a_taken_port_is_an_os_error():
    async def main():
        async with AsyncServer(0, host="127.0.0.1") as server:
            with pytest.raises(OSError, match=str(server.port)):
                AsyncServer(server.port, host="127.0.0.1")

    asyncio.run(main())


ENDS = """
import asyncio
from gamewire.riptide import AsyncServer

async def main():
    global servers
    servers = [AsyncServer(0) for _ in range(16)]
    for server in servers:
        await server.__aenter__()

asyncio.run(main())
"""


def test_a_program_ends_while_its_servers_wait_for_events():
    for _ in range(5):
        assert subprocess.run([sys.executable, "-c", ENDS], timeout=120).returncode == 0
