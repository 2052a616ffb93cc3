"""Clients and servers of Riptide, as programs of the Python port use them."""

import importlib
import socket
import threading
import time

import pytest
from gamewire.riptide import message
from gamewire.riptide.client import Client
from gamewire.riptide.connection import ConnectionState
from gamewire.riptide.message_base import MessageSendMode
from gamewire.riptide.message_relay_filter import MessageRelayFilter
from gamewire.riptide.peer import DisconnectReason
from gamewire.riptide.server import Server
from gamewire.riptide.threading.fixedupdatethreads import FixedUpdateThread
from gamewire.riptide.transports.tcp.tcp_client import TCPClient
from gamewire.riptide.transports.tcp.tcp_server import TCPServer
from gamewire.riptide.transports.udp.udp_client import UDPClient
from gamewire.riptide.transports.udp.udp_server import UDPServer
from gamewire.riptide.utils.exceptions import InsufficientCapacityException, NotEnoughBytesError

VALUES = [
    ("Bool", True),
    ("Int8", -128),
    ("UInt8", 255),
    ("Int16", -32768),
    ("UInt16", 65535),
    ("Int32", -(1 << 31)),
    ("UInt32", (1 << 32) - 1),
    ("Int64", -(1 << 63)),
    ("UInt64", (1 << 64) - 1),
    ("Float", 0.5),
    ("Double", 1e300),
    ("String", "Grüße, 世界"),
]
TRANSPORTS = {"udp": (UDPServer, UDPClient), "tcp": (TCPServer, TCPClient)}


def test_a_message_is_created_without_its_mode_as_in_the_port():
    written = message.Message()
    written.init()
    written.putString("one")
    assert written.getString() == "one" and not written.hasMessageID
    written.init()
    assert written.writeBit == 0
    with pytest.raises(NotEnoughBytesError):
        written.getBool()


def until(done, *peers):
    """Updates the peers until a condition is met."""
    end = time.monotonic() + 10
    while not done():
        assert time.monotonic() < end, "timed out"
        for peer in peers:
            peer.update()
        time.sleep(0.002)


@pytest.fixture(params=["udp", "tcp"])
def pair(request):
    """A server, and a client that is connected to it."""
    server_transport, client_transport = TRANSPORTS[request.param]
    server, client = Server(server_transport(listenAddress="127.0.0.1")), Client(client_transport())
    connected = []
    server.ClientConnected += connected.append
    server.start(0, 10)
    assert client.connect(("127.0.0.1", server.port))
    until(lambda: connected, server, client)
    yield server, client
    client.disconnect()
    server.stop()


def test_every_value_is_read_as_it_was_written():
    written = message.create(MessageSendMode.Reliable, 1)
    for name, value in VALUES:
        getattr(written, f"put{name}")(value)
        getattr(written, f"put{name}Array")([value, value])
        getattr(written, f"put{name}Array")([value], includeLength=False)
    written.putVarULong(300)
    written.putBytes(b"bytes")
    for name, value in VALUES:
        assert getattr(written, f"get{name}")() == value
        assert getattr(written, f"get{name}Array")() == [value, value]
        assert getattr(written, f"get{name}Array")(1) == [value]
    assert written.getVarULong(-1) == (300, 16)
    assert written.getBytes(5) == b"bytes"
    assert written.unreadBits == 0
    with pytest.raises(NotEnoughBytesError):
        written.getInt8()


def test_values_are_encoded_as_in_the_csharp_library():
    written = message.create(MessageSendMode.Unreliable, 11)
    written.addInt(0x11223344)
    written.putBool(True)
    written.addString("Hi")
    assert bytes(written.data) == bytes([0x44, 0x33, 0x22, 0x11, 0x05, 0x90, 0xD2, 0x00])
    assert (written.sendMode, written.msgID, written.writeBit) == (MessageSendMode.Unreliable, 11, 57)


def test_a_position_replaces_a_value():
    written = message.createInternal()
    written.putInt32(1)
    written.putInt16(2)
    assert written.putInt32(-7, pos=0) == 32
    assert (written.getInt16(32), written.getInt32(), written.getInt16()) == (2, -7, 2)


def test_a_message_has_a_maximum_size():
    written = message.create(MessageSendMode.Reliable, 1)
    with pytest.raises(InsufficientCapacityException, match="does not fit"):
        written.putBytes(bytes(2000))
    with pytest.raises(OverflowError):
        message.createInternal().putInt8(128)


def test_messages_arrive_in_the_order_of_sending(pair):
    server, client = pair
    received = []
    server.registerMessageHandler(5, lambda sender, it: received.append((sender, it.getInt32())))
    for number in range(100):
        sent = message.create(MessageSendMode.Reliable, 5)
        sent.putInt32(number)
        assert client.send(sent) > 0
    until(lambda: len(received) == 100, server, client)
    assert received == [(client.id, number) for number in range(100)]


def test_a_server_sends_to_one_and_to_all(pair):
    server, client = pair
    received = []
    client.registerMessageHandler(6, lambda it: received.append(it.getString()))
    client.MessageReceived += lambda connection, number, it: received.append((connection.id, number))
    for text, send in [
        ("one", lambda it: server.send(it, client.id)),
        ("connection", lambda it: server.send(it, server.tryGetClient(client.id)[1])),
        ("all", server.sendToAll),
        ("others", lambda it: server.sendToAll(it, client.id)),
    ]:
        sent = message.create(MessageSendMode.Reliable, 6)
        sent.putString(text)
        send(sent)
    until(lambda: len(received) >= 6, server, client)
    expected = [item for text in ("one", "connection", "all") for item in ((client.id, 6), text)]
    assert received == expected
    assert server.send(sent, 9) == 0


def test_a_server_decides_on_clients_by_their_data():
    server, ended = Server(UDPServer(listenAddress="127.0.0.1")), []

    def decide(connection, data):
        assert connection.isPending
        if data.getString() == "let me in":
            server.accept(connection)
        else:
            reason = message.createInternal()
            reason.putString("who are you?")
            server.reject(connection, reason)

    server.handleConnection = decide
    server.start(0, 10)

    def connect(text):
        data = message.createInternal()
        data.putString(text)
        client = Client()
        client.ConnectionFailed += lambda answer: ended.append(answer.getString())
        client.Disconnected += lambda reason, answer: ended.append((reason, answer.getString()))
        client.connect(("127.0.0.1", server.port), message=data)
        return client

    friend, stranger = connect("let me in"), connect("open sesame")
    until(lambda: friend.isConnected and stranger.isNotConnected, server, friend, stranger)
    assert ended == ["who are you?"]
    farewell = message.createInternal()
    farewell.putString("bye")
    server.disconnectClient(friend.id, farewell)
    until(lambda: friend.isNotConnected, server, friend)
    assert ended[1:] == [(DisconnectReason.Kicked, "bye")] and server.clientCount == 0
    server.stop()


def test_relayed_messages_reach_the_others_and_no_handler(pair):
    server, client = pair
    other, handled, received = Client(type(client._transport)()), [], []
    server.messageRelayFilter = MessageRelayFilter([7])
    server.registerMessageHandler(7, lambda *_: handled.append(1))
    other.registerMessageHandler(7, lambda it: received.append(it.getString()))
    came = []
    client.ClientConnected += came.append
    client.ClientDisconnected += lambda number: came.append(-number)
    other.connect(("127.0.0.1", server.port))
    until(lambda: other.isConnected and came, server, client, other)
    sent = message.create(MessageSendMode.Reliable, 7)
    sent.putString("to the others")
    client.send(sent)
    until(lambda: received, server, client, other)
    assert received == ["to the others"] and not handled and came == [other.id]
    other.disconnect()
    until(lambda: len(came) == 2, server, client)
    assert came == [2, -2]


def test_notify_messages_tell_their_delivery(pair):
    server, client = pair
    connection = server.tryGetClient(client.id)[1]
    received, delivered = [], []
    connection.notifyReceived += lambda it: received.append(it.getUInt8())
    client.connection.notifyDelivered += delivered.append

    def send(peer, *to):
        sent = message.create(MessageSendMode.Notify, 0)
        sent.putUInt8(len(received))
        return peer.send(sent, *to)

    first = send(client)
    until(lambda: received, server, client)
    # The acknowledgement is part of a notify message in the other direction.
    until(lambda: delivered, server, client) if delivered else send(server, client.id)
    until(lambda: delivered, server, client)
    assert received == [0] and delivered == [first]


def test_connections_have_their_state_and_counters(pair):
    server, client = pair
    connection = server.tryGetClient(client.id)[1]
    assert (client.connection.state, connection.state) == (ConnectionState.Connected, ConnectionState.Connected)
    until(lambda: client.rtt >= 0, server, client)
    assert client.smoothRTT >= 0 and client.connection.metrics.bytesIn > 0
    assert connection.metrics.reliableUniques >= 1 and connection.remoteEndpoint[0] == "127.0.0.1"
    left = []
    server.ClientDisconnected += lambda it, reason: left.append((it, reason))
    client.disconnect()
    until(lambda: left, server)
    assert left == [(connection, DisconnectReason.Disconnected)] and connection.isNotConnected
    assert client.isNotConnected and client.rtt == -1


def test_a_server_that_stops_tells_its_clients(pair):
    server, client = pair
    ended = []
    client.Disconnected += lambda reason, _: ended.append(reason)
    server.stop()
    until(lambda: ended, client)
    assert ended == [DisconnectReason.ServerStopped] and not server.isRunning
    server.start(0, 10)
    assert server.isRunning and server.port > 0


def test_an_address_without_a_server_fails():
    with socket.socket(type=socket.SOCK_DGRAM) as silent, socket.socket(type=socket.SOCK_STREAM) as deaf:
        silent.bind(("127.0.0.1", 0))
        # It never listens.
        deaf.bind(("127.0.0.1", 0))
        client, failed = Client(), []
        client.ConnectionFailed += failed.append
        assert client.connect(silent.getsockname(), maxConnectionAttempts=1)
        until(lambda: failed, client)
        assert failed == [None] and client.isNotConnected
        assert not Client(TCPClient()).connect(deaf.getsockname())


def test_threads_update_while_others_send():
    server, client, received = Server(UDPServer(listenAddress="127.0.0.1")), Client(), []
    server.registerMessageHandler(1, lambda _, it: received.append(it.getInt32()))
    server.start(0, 4)
    updaters = [FixedUpdateThread(server.update, 0.002), FixedUpdateThread(client.update, 0.002)]
    client.connect(("127.0.0.1", server.port))
    for updater in updaters:
        updater.start()
    try:
        until(lambda: client.isConnected)

        def send(first):
            for number in range(first, first + 50):
                sent = message.create(MessageSendMode.Reliable, 1)
                sent.putInt32(number)
                client.send(sent)

        senders = [threading.Thread(target=send, args=(first,)) for first in (0, 50, 100)]
        for sender in senders:
            sender.start()
        until(lambda: len(received) == 150)
    finally:
        for updater in updaters:
            updater.requestClose()
            updater.join()
    assert sorted(received) == list(range(150))
    server.stop()


def test_a_failed_handler_does_not_lose_later_messages(pair):
    server, client = pair
    received = []

    def handle(_, it):
        number = it.getInt32()
        received.append(number)
        if number == 1:
            raise ValueError("one")

    server.registerMessageHandler(1, handle)
    for number in range(3):
        sent = message.create(MessageSendMode.Reliable, 1)
        sent.putInt32(number)
        client.send(sent)
    with pytest.raises(ValueError, match="one"):
        until(lambda: False, client, server)
    until(lambda: len(received) == 3, client, server)
    assert received == [0, 1, 2]


def test_other_transports_are_refused():
    with pytest.raises(TypeError, match="unsupported transport"):
        Server(object())


@pytest.mark.parametrize(
    "name",
    [
        "client", "connection", "message", "message_base", "message_relay_filter", "peer", "server",
        "threading.fixedupdatethreads", "transports.iclient", "transports.ipeer", "transports.iserver",
        "transports.tcp.tcp_client", "transports.tcp.tcp_server", "transports.udp.udp_client",
        "transports.udp.udp_peer", "transports.udp.udp_server", "utils.eventhandler", "utils.exceptions",
        "utils.logengine",
    ],
)  # fmt: skip
def test_modules_have_the_names_of_the_port(name):
    ours = importlib.import_module(f"gamewire.riptide.{name}")
    theirs = pytest.importorskip(f"pytidenetworking.{name}")
    for class_name in ("Client", "Server", "Message", "MessageRelayFilter", "FixedUpdateThread", "EventHandler"):
        if hasattr(theirs, class_name) and getattr(theirs, class_name).__module__ == theirs.__name__:
            members = {member for member in vars(getattr(theirs, class_name)) if not member.startswith("_")}
            internal = {
                "acceptConnection", "appendBits", "checkBitsAvailable", "checkReadBitsAvailable",
                "computeReadPointerBits", "disconnect", "createBytestream", "createConnectBytes", "fromBytestream",
                "getAvailableClientId", "handle", "handleConnect", "handleConnectionAttempt", "heartbeat",
                "hasSequenceID", "init", "localDisconnect", "replaceBits", "sendClientConnected",
                "sendClientDisconnected", "sendDisconnect", "subToTransportEvents", "transportDisconnected",
                "unsubFromTransportEvents", "unsubToTransportEvents",
            }  # fmt: skip
            internal |= {member for member in members if member.startswith("on")}
            assert members - internal <= set(dir(getattr(ours, class_name)()) if class_name in ("Server", "Client")
                                             else dir(getattr(ours, class_name))), class_name
