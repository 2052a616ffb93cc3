using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Gamewire.WebSockets;
using Riptide;
using Riptide.Transports;

namespace Gamewire.Tests
{
    /// <summary>Clients and servers of Riptide over the transports of the package.</summary>
    public static class RoomTests
    {
        private static Client NewClient(Server server, string address, Action<int> received)
        {
            return Join(server, new AnyClient(), address, received);
        }

        /// <summary>Joins a server, and passes the numbers of all messages on.</summary>
        internal static Client Join(Server server, IClient transport, string address, Action<int> received)
        {
            int others = server.ClientCount;
            Client client = new Client(transport);
            client.MessageReceived += (sender, e) => received(e.Message.GetInt());
            Check.That(client.Connect(address, useMessageHandlers: false), "connects to " + address);
            Check.Until(() => { server.Update(); client.Update(); }, () => client.IsConnected && server.ClientCount > others, "joins");
            return client;
        }

        private static string Address(Server server)
        {
            return "ws://127.0.0.1:" + server.Port;
        }

        /// <summary>Starts a server that returns each number plus one.</summary>
        internal static Server NewServer(IServer transport)
        {
            Server server = new Server(transport);
            server.MessageReceived += (sender, e) =>
            {
                MessageSendMode mode = e.Message.SendMode;
                server.Send(Message.Create(mode, e.MessageId).AddInt(e.Message.GetInt() + 1), e.FromConnection);
            };
            server.Start(0, 10, useMessageHandlers: false);
            return server;
        }

        /// <summary>A free UDP port. The UDP server of Riptide does not tell which one it got for 0.</summary>
        internal static ushort FreePort()
        {
            using (Socket socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp))
            {
                socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
                return (ushort)((IPEndPoint)socket.LocalEndPoint).Port;
            }
        }

        public static void AThousandMessagesReturn()
        {
            Server server = NewServer(new WebSocketServer(IPAddress.Loopback));
            List<int> received = new List<int>();
            Client client = NewClient(server, Address(server), received.Add);
            for (int i = 0; i < 1000; i++)
            {
                MessageSendMode mode = i % 2 == 0 ? MessageSendMode.Reliable : MessageSendMode.Unreliable;
                client.Send(Message.Create(mode, 3).AddInt(i));
                if (i % 50 == 0)
                {
                    client.Update();
                    server.Update();
                }
            }
            Check.Until(() => { server.Update(); client.Update(); }, () => received.Count == 1000, "all messages return");
            received.Sort();
            for (int i = 0; i < 1000; i++)
                Check.Equal(i + 1, received[i], "message");
            client.Disconnect();
            Check.Until(server.Update, () => server.ClientCount == 0, "the server sees that the client left");
            server.Stop();
        }

        public static void PlayersOverUdpAndWebSocketShareARoom()
        {
            AnyServer transport = new AnyServer(0);
            Server server = new Server(transport);
            server.MessageReceived += (sender, e) =>
            {
                server.SendToAll(Message.Create(MessageSendMode.Reliable, 4).AddInt(e.Message.GetInt()));
            };
            server.Start(FreePort(), 10, useMessageHandlers: false);
            List<int> overUdp = new List<int>();
            List<int> overWebSocket = new List<int>();
            Client one = NewClient(server, "127.0.0.1:" + server.Port, overUdp.Add);
            Client two = NewClient(server, "ws://127.0.0.1:" + transport.WebSockets.Port, overWebSocket.Add);
            one.Send(Message.Create(MessageSendMode.Reliable, 4).AddInt(1));
            two.Send(Message.Create(MessageSendMode.Reliable, 4).AddInt(2));
            Action update = () => { server.Update(); one.Update(); two.Update(); };
            Check.Until(update, () => overUdp.Count == 2 && overWebSocket.Count == 2, "both receive both messages");
            one.Disconnect();
            two.Disconnect();
            Check.Until(server.Update, () => server.ClientCount == 0, "both left");
            server.Stop();
        }

        public static void AKickArrivesBeforeTheConnectionCloses()
        {
            Server server = NewServer(new WebSocketServer(IPAddress.Loopback));
            Client client = NewClient(server, Address(server), _ => { });
            DisconnectReason? reason = null;
            client.Disconnected += (sender, e) => reason = e.Reason;
            server.DisconnectClient(server.Clients[0]);
            Check.Until(() => { server.Update(); client.Update(); }, () => reason != null, "the client is kicked");
            Check.Equal(DisconnectReason.Kicked, reason.Value, "reason");
            server.Stop();
        }

        public static void AStoppedServerSaysSo()
        {
            Server server = NewServer(new WebSocketServer(IPAddress.Loopback));
            string address = Address(server);
            Client client = NewClient(server, address, _ => { });
            DisconnectReason? reason = null;
            client.Disconnected += (sender, e) => reason = e.Reason;
            server.Stop();
            Check.Until(client.Update, () => reason != null, "the client is notified");
            // Riptide before 2.2.1 sends two bytes instead of a header and a reason.
            bool isStop = reason == DisconnectReason.ServerStopped || (int)reason.Value == 80;
            Check.That(isStop, "reason " + reason);
        }

        public static void AClosedPortFailsTheConnection()
        {
            Server server = NewServer(new WebSocketServer(IPAddress.Loopback));
            string address = Address(server);
            server.Stop();
            Client client = new Client(new AnyClient());
            bool hasFailed = false;
            client.ConnectionFailed += (sender, e) => hasFailed = true;
            Check.That(client.Connect(address, useMessageHandlers: false), "begins to connect");
            Check.Until(client.Update, () => hasFailed, "the connection fails");
            Check.That(client.IsNotConnected, "not connected");
            client.Update();
        }

        public static void AClientConnectsAgain()
        {
            Server server = NewServer(new WebSocketServer(IPAddress.Loopback));
            Client client = NewClient(server, Address(server), _ => { });
            for (int i = 0; i < 3; i++)
            {
                client.Disconnect();
                Check.That(client.Connect(Address(server), useMessageHandlers: false), "connects again");
                Check.Until(() => { server.Update(); client.Update(); }, () => client.IsConnected, "joins again");
            }
            client.Disconnect();
            server.Stop();
        }

        public static void InvalidAddressesAreErrors()
        {
            WebSocketClient transport = new WebSocketClient();
            foreach (string address in new[] { "", "http://a", "ws://", "ws://a:99999", "ws://a/#b", "ws://user@a" })
            {
                Connection connection;
                string error;
                Check.That(!transport.Connect(address, out connection, out error), "invalid: " + address);
                Check.That(error.Contains(address) && connection == null, error);
                transport.Poll();
            }
        }

        public static void SilentAndHostileSocketsAreClosed()
        {
            WebSocketServer transport = new WebSocketServer(IPAddress.Loopback) { ConnectTimeout = 300, CloseTimeout = 300 };
            Server server = NewServer(transport);
            string upgrade = UpgradeTests.Good + "\r\n";
            string endless = "GET / HTTP/1.1\r\na: " + new string('b', 20000);
            string[] expected = { "", "", "HTTP/1.1 431", "HTTP/1.1 400", "HTTP/1.1 101", "HTTP/1.1 101" };
            byte[] unmasked = { 0x82, 1, 2 };
            byte[][] sent =
            {
                new byte[0],
                Encoding.ASCII.GetBytes("GET / HT"),
                Encoding.ASCII.GetBytes(endless),
                Encoding.ASCII.GetBytes("HELLO\r\n\r\n"),
                Encoding.ASCII.GetBytes(upgrade),
                Concat(Encoding.ASCII.GetBytes(upgrade), unmasked),
            };
            for (int i = 0; i < sent.Length; i++)
            {
                using (Socket socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp))
                {
                    socket.Connect(IPAddress.Loopback, server.Port);
                    socket.Send(sent[i]);
                    byte[] all = ReadAll(socket, server);
                    string text = Encoding.ASCII.GetString(all);
                    Check.That(text.StartsWith(expected[i]), "answer " + i + ": " + text);
                    bool hasCode = all.Length > 2 && all[all.Length - 2] == 3 && all[all.Length - 1] == 0xEA;
                    Check.Equal(i == 5, hasCode, "close code 1002 of " + i);
                }
            }
            Check.Until(server.Update, () => transport.ConnectionCount == 0, "no socket is left");
            server.Stop();
        }

        public static void HalfOpenConnectionsGiveWay()
        {
            WebSocketServer transport = new WebSocketServer(IPAddress.Loopback) { MaxHalfOpen = 8 };
            Server server = NewServer(transport);
            List<Socket> idle = new List<Socket>();
            for (int i = 0; i < 30; i++)
            {
                idle.Add(new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
                idle[i].Connect(IPAddress.Loopback, server.Port);
                server.Update();
            }
            Client client = NewClient(server, Address(server), _ => { });
            Check.That(transport.ConnectionCount <= 9, "half-open connections: " + transport.ConnectionCount);
            client.Disconnect();
            idle.ForEach(it => it.Close());
            server.Stop();
        }

        private static byte[] Concat(byte[] one, byte[] two)
        {
            List<byte> all = new List<byte>(one);
            all.AddRange(two);
            return all.ToArray();
        }

        /// <summary>Reads until the server closes the connection.</summary>
        private static byte[] ReadAll(Socket socket, Server server)
        {
            List<byte> all = new List<byte>();
            byte[] buffer = new byte[1000];
            bool isClosed = false;
            Check.Until(
                () =>
                {
                    server.Update();
                    while (!isClosed && socket.Poll(0, SelectMode.SelectRead))
                    {
                        SocketError error;
                        int count = socket.Receive(buffer, 0, buffer.Length, SocketFlags.None, out error);
                        isClosed = count == 0;
                        for (int i = 0; i < count; i++)
                            all.Add(buffer[i]);
                    }
                },
                () => isClosed,
                "the server closes the connection");
            return all.ToArray();
        }
    }
}
