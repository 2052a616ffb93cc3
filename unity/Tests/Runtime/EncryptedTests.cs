using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Gamewire.Encryption;
using Riptide;

namespace Gamewire.Tests
{
    /// <summary>Clients and servers of Riptide over encrypted UDP on loopback.</summary>
    public static class EncryptedTests
    {
        private static readonly ServerKey Key = ServerKey.Generate();

        public static void AThousandMessagesReturnOnceAtThreeAddresses()
        {
            EncryptedUdpServer transport = new EncryptedUdpServer(Key, IPAddress.Loopback);
            Server server = RoomTests.NewServer(transport);
            List<IPEndPoint> before = new List<IPEndPoint>();
            transport.AddressChanged += (connection, address) => before.Add(address);
            EncryptedUdpClient udp = new EncryptedUdpClient(Key.ClientKey("player 5"));
            List<IPEndPoint> after = new List<IPEndPoint>();
            udp.AddressChanged += after.Add;
            List<int> received = new List<int>();
            Client client = RoomTests.Join(server, udp, "127.0.0.1:" + server.Port, received.Add);
            EncryptedConnection seen = (EncryptedConnection)server.Clients[0];
            Check.Equal("player 5", Encoding.UTF8.GetString(seen.GetToken()), "token");
            Action update = () => { server.Update(); client.Update(); };
            for (int i = 0; i < 1000; i++)
            {
                if (i == 300 || i == 700)
                    udp.Rebind();
                client.Send(Message.Create(MessageSendMode.Reliable, 3).AddInt(i));
                int sent = i + 1;
                update();
                Check.Until(update, () => sent - received.Count < 20, "messages return");
            }
            Check.Until(update, () => received.Count >= 1000 && after.Count == 2, "all messages return");
            received.Sort();
            for (int i = 0; i < 1000; i++)
                Check.Equal(i + 1, received[i], "message");
            Check.Equal(1000, received.Count, "messages");
            Check.Equal(after[0], before[1], "the address between both moves");
            Check.Equal(after[1], seen.RemoteEndPoint, "the address at the end");
            Check.Equal(1L, transport.Stats.Opened, "sessions");
            client.Disconnect();
            Check.Until(server.Update, () => server.ClientCount == 0, "the server sees that the client left");
            server.Stop();
        }

        public static void NamesAndBothFamiliesOfAddressesWork()
        {
            EncryptedUdpServer transport = new EncryptedUdpServer(Key);
            Server server = RoomTests.NewServer(transport);
            List<string> hosts = new List<string> { "127.0.0.1", "udps://127.0.0.1", "localhost" };
            if (Socket.OSSupportsIPv6)
                hosts.Add("[::1]");
            foreach (string host in hosts)
            {
                Client client = RoomTests.Join(server, new EncryptedUdpClient(Key.ClientKey("")), host + ":" + server.Port, _ => { });
                client.Disconnect();
                Check.Until(server.Update, () => server.ClientCount == 0, "left");
            }
            server.Stop();
        }

        public static void InvalidAddressesAreErrors()
        {
            EncryptedUdpClient transport = new EncryptedUdpClient(Key.ClientKey(""));
            foreach (string address in new[] { null, "", "localhost", "udp://127.0.0.1:7777", "127.0.0.1:99999", ":7777" })
            {
                Connection connection;
                string error;
                Check.That(!transport.Connect(address, out connection, out error), "refused: " + address);
                Check.That(error.Contains("expected host:port"), error);
            }
            transport.Poll();
            AnyClient any = new AnyClient();
            Connection none;
            string reason;
            Check.That(!any.Connect("udps://127.0.0.1:7777", out none, out reason) && reason.Contains("AnyClient.Key"), "needs a key");
            any.Poll();
        }

        public static void AClientWithAWrongKeyLearnsWhy()
        {
            EncryptedUdpServer transport = new EncryptedUdpServer(Key, IPAddress.Loopback);
            Server server = RoomTests.NewServer(transport);
            EncryptedUdpClient udp = new EncryptedUdpClient(ServerKey.Generate().ClientKey(""));
            Connection connection;
            string error;
            Check.That(udp.Connect("127.0.0.1:" + server.Port, out connection, out error), "connects");
            Check.Until(() => { server.Update(); udp.Poll(); }, () => transport.Stats.WrongKeys > 1, "the server refuses the key");
            Check.That(udp.LastError.Contains("does not accept the key"), udp.LastError);
            udp.Disconnect();
            Check.Equal(0, transport.SessionCount, "sessions");
            server.Stop();
        }

        public static void PlayersOfAllTransportsShareARoom()
        {
            AnyServer transport = new AnyServer(0);
            EncryptedUdpServer encrypted = new EncryptedUdpServer(Key, IPAddress.Loopback);
            transport.Add(encrypted, 0);
            Server server = new Server(transport);
            server.MessageReceived += (sender, e) =>
                server.SendToAll(Message.Create(MessageSendMode.Reliable, 4).AddInt(e.Message.GetInt()));
            server.Start(RoomTests.FreePort(), 10, useMessageHandlers: false);
            string[] addresses =
            {
                "127.0.0.1:" + server.Port, "ws://127.0.0.1:" + transport.WebSockets.Port, "udps://127.0.0.1:" + encrypted.Port,
            };
            List<Client> clients = new List<Client>();
            int received = 0;
            Action update = () =>
            {
                server.Update();
                clients.ForEach(one => one.Update());
            };
            foreach (string address in addresses)
            {
                Client client = new Client(new AnyClient { Key = Key.ClientKey("") });
                client.MessageReceived += (sender, e) => received++;
                clients.Add(client);
                Check.That(client.Connect(address, useMessageHandlers: false), "connects to " + address);
                Check.Until(update, () => client.IsConnected && server.ClientCount == clients.Count, "joins");
            }
            clients.ForEach(one => one.Send(Message.Create(MessageSendMode.Reliable, 4).AddInt(1)));
            Check.Until(update, () => received == 9, "each receives each message");
            clients.ForEach(one => one.Disconnect());
            Check.Until(server.Update, () => server.ClientCount == 0, "all left");
            server.Stop();
        }

        public static void AKickedClientLearnsIt()
        {
            Server server = RoomTests.NewServer(new EncryptedUdpServer(Key, IPAddress.Loopback));
            Client client = RoomTests.Join(server, new EncryptedUdpClient(Key.ClientKey("")), "127.0.0.1:" + server.Port, _ => { });
            DisconnectReason? reason = null;
            client.Disconnected += (sender, e) => reason = e.Reason;
            server.DisconnectClient(server.Clients[0]);
            Check.Until(() => { server.Update(); client.Update(); }, () => reason != null, "the client is kicked");
            Check.Equal(DisconnectReason.Kicked, reason.Value, "reason");
            server.Stop();
        }

        public static void StrangersCannotUseTheServer()
        {
            EncryptedUdpServer transport = new EncryptedUdpServer(Key, IPAddress.Loopback);
            Server server = RoomTests.NewServer(transport);
            List<int> received = new List<int>();
            Client client = RoomTests.Join(server, new EncryptedUdpClient(Key.ClientKey("")), "127.0.0.1:" + server.Port, received.Add);
            Random random = new Random(3);
            using (Socket stranger = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp))
            {
                for (int i = 0; i < 2000; i++)
                {
                    byte[] data = new byte[random.Next(1, 1400)];
                    random.NextBytes(data);
                    // Connect requests of Riptide in clear, and bytes that look like the layer.
                    if (i % 2 == 0)
                        data[0] = i % 4 == 0 ? (byte)2 : (byte)(random.Next(1, 7) << 4 | 15);
                    stranger.SendTo(data, new IPEndPoint(IPAddress.Loopback, server.Port));
                    if (i % 20 == 0)
                        server.Update();
                }
            }
            client.Send(Message.Create(MessageSendMode.Reliable, 3).AddInt(6));
            Check.Until(() => { server.Update(); client.Update(); }, () => received.Count == 1, "the session works");
            Check.Equal(1, server.ClientCount, "clients");
            Check.Equal(1, transport.SessionCount, "sessions");
            EncryptionStats stats = transport.Stats;
            Check.That(stats.Invalid + stats.UnknownSessions + stats.WrongCookies > 500, "counted");
            client.Disconnect();
            server.Stop();
        }
    }
}
