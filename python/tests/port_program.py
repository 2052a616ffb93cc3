"""A program for the Python port of Riptide: a server and a client. `python port_program.py udp|tcp`.

The tests run it with `gamewire.riptide` in place of the name of the port.
"""

import sys
import time
from enum import IntEnum

import pytidenetworking.message as message
from pytidenetworking.client import Client
from pytidenetworking.message_base import MessageSendMode
from pytidenetworking.peer import DisconnectReason
from pytidenetworking.server import Server
from pytidenetworking.threading.fixedupdatethreads import FixedUpdateThread
from pytidenetworking.transports.tcp.tcp_client import TCPClient
from pytidenetworking.transports.tcp.tcp_server import TCPServer
from pytidenetworking.transports.udp.udp_client import UDPClient
from pytidenetworking.transports.udp.udp_server import UDPServer


class MESSAGEID(IntEnum):
    HELLO = 42
    ANSWER = 43


events = []


def on_server(client: int, received: message.Message):
    events.append(("hello", client, received.getString(), received.getInt32(), received.getFloatArray()))
    answer = message.create(MessageSendMode.Reliable, MESSAGEID.ANSWER)
    answer.putBool(True)
    answer.addUShort(65535)
    answer.putString("Hello client !")
    server.send(answer, client)


def on_client(received: message.Message):
    events.append(("answer", received.getBool(), received.getUShort(), received.getString()))


def wait_for(count: int):
    end = time.time() + 10
    while len(events) < count and time.time() < end:
        time.sleep(0.01)


is_udp = sys.argv[1] == "udp"
transport = UDPServer() if is_udp else TCPServer()
server: Server = Server(transport)
server.ClientConnected += lambda connection: events.append(("connected", connection.id))
server.ClientDisconnected += lambda connection, reason: events.append(("left", connection.id, int(reason)))
server.registerMessageHandler(MESSAGEID.HELLO, on_server)
server.start(0, 10)
# The server of the port does not know which one the system has chosen.
port: int = server.port or transport.socket.getsockname()[1]
serverUpdater: FixedUpdateThread = FixedUpdateThread(server.update)
serverUpdater.start()

client: Client = Client(UDPClient() if is_udp else TCPClient())
client.Connected += lambda: events.append(("accepted",))
client.registerMessageHandler(MESSAGEID.ANSWER, on_client)
client.connect(("127.0.0.1", port))
clientUpdater: FixedUpdateThread = FixedUpdateThread(client.update)
clientUpdater.start()
wait_for(2)

msg = message.create(MessageSendMode.Unreliable, MESSAGEID.HELLO)
msg.putString("Hello World !")
msg.putInt32(-5)
msg.putFloatArray([0.5, 1.5])
client.send(msg)
wait_for(4)
client.disconnect()
wait_for(5)

clientUpdater.requestClose()
serverUpdater.requestClose()
server.stop()
for event in sorted(events, key=str):
    print(*event)
assert DisconnectReason.Disconected == 6
