using System;
using System.Collections.Generic;
using Gamewire.Messages;
using Riptide;

namespace Gamewire.Tests
{
    /// <summary>Ordered and large messages between a client and a server in memory.</summary>
    public static class MessageTests
    {
        private sealed class Pair
        {
            internal readonly MemoryNetwork Network;
            internal readonly Server Server;
            internal readonly Client Client;
            private readonly bool hasJoined;

            internal Pair(int seed, bool hasServer = true, bool hasClient = true, ExtensionOptions options = null)
            {
                Network = new MemoryNetwork(seed);
                Server = new Server(Network.Server);
                Client = new Client(Network.Client);
                if (hasServer)
                    Server.UseExtension(options);
                if (hasClient)
                    Client.UseExtension();
                Server.Start(1, 10);
                Check.That(Client.Connect("memory"), "connects");
                Run(() => Client.IsConnected && Server.ClientCount == 1, "joins");
                // Riptide ends a connection after five lost heartbeats in a row, at 20 % loss in one of twenty tests.
                Client.Connection.CanTimeout = false;
                Server.Clients[0].CanTimeout = false;
                hasJoined = true;
                if (hasServer && hasClient)
                    Run(() => Client.UseExtension().IsReady && Server.UseExtension().IsReady(Server.Clients[0]), "agree");
            }

            internal void Run(Func<bool> done, string what)
            {
                Check.Until(() => { Client.Update(); Server.Update(); CheckConnected(); }, done, what);
            }

            private void CheckConnected()
            {
                Check.That(!hasJoined || (Client.IsConnected && Server.ClientCount == 1), "stays connected");
            }

            internal void End()
            {
                Network.Loss = 0;
                Client.Disconnect();
                Server.Update();
                Server.Stop();
            }
        }

        private static readonly List<int> Handled = new List<int>();

        [MessageHandler(21)]
        private static void HandleOnServer(ushort from, Message message)
        {
            Handled.Add(message.GetBool() ? message.GetInt() : -1);
        }

        [MessageHandler(22)]
        private static void HandleOnClient(Message message)
        {
            Handled.Add(message.GetInt());
        }

        public static void TenThousandMessagesKeepTheirOrderAtTwentyPercentLoss()
        {
            Pair pair = new Pair(1);
            Handled.Clear();
            pair.Network.Loss = 0.2;
            for (int i = 0; i < 10000; i++)
            {
                Message message = Message.Create(MessageSendMode.Reliable, 21).AddBool(true).AddInt(i);
                Check.That(pair.Client.SendOrdered(message), "message " + i);
            }
            pair.Run(() => Handled.Count == 10000, "all arrive");
            for (int i = 0; i < 10000; i++)
                Check.Equal(i, Handled[i], "order");
            pair.Run(() => pair.Client.UseExtension().QueuedBytes == 0, "all are acknowledged");
            pair.End();
        }

        public static void AMebibyteArrivesWithProgressInBothDirections()
        {
            Pair pair = new Pair(2);
            pair.Network.Loss = 0.05;
            byte[] data = new byte[1 << 20];
            new Random(3).NextBytes(data);
            byte[] atServer = null;
            byte[] atClient = null;
            int steps = 0;
            int last = 0;
            int acked = 0;
            ServerExtension server = pair.Server.UseExtension();
            ClientExtension client = pair.Client.UseExtension();
            server.HandleLarge(30, (from, bytes) => atServer = bytes);
            client.HandleLarge(30, (from, bytes) => atClient = bytes);
            server.ReceiveProgress += (from, id, bytes, total) =>
            {
                Check.That(id == 30 && bytes > last && bytes <= total && total == data.Length, "progress " + bytes);
                last = bytes;
                steps++;
            };
            client.SendProgress += (to, id, bytes, total) => acked = bytes;
            Check.That(pair.Client.SendLarge(30, data), "sends");
            Check.That(pair.Server.SendLarge(30, data, pair.Server.Clients[0]), "sends back");
            pair.Run(() => atServer != null && atClient != null && acked == data.Length, "both arrive");
            Check.Bytes(data, atServer, "at the server");
            Check.Bytes(data, atClient, "at the client");
            Check.Equal(866, steps, "parts of 1212 bytes");
            pair.End();
        }

        public static void LargeMessagesKeepTheirOrderAmongOthers()
        {
            Pair pair = new Pair(4);
            Handled.Clear();
            pair.Network.Loss = 0.1;
            pair.Client.UseExtension().HandleLarge(31, (from, bytes) => Handled.Add(-bytes.Length));
            Connection to = pair.Server.Clients[0];
            int[] lengths = { 0, 1, 1216, 1217, 50000 };
            foreach (int length in lengths)
            {
                Check.That(pair.Server.SendOrdered(Message.Create(MessageSendMode.Reliable, 22).AddInt(length), to), "small");
                Check.That(pair.Server.SendLarge(31, new byte[length], to), "large");
            }
            pair.Run(() => Handled.Count == 10, "all arrive");
            for (int i = 0; i < 10; i++)
                Check.Equal(i % 2 == 0 ? lengths[i / 2] : -lengths[i / 2], Handled[i], "order");
            pair.End();
        }

        public static void NothingIsSentToAPeerWithoutTheExtension()
        {
            Pair old = new Pair(5, hasServer: false);
            Message message = Message.Create(MessageSendMode.Reliable, 21).AddBool(true).AddInt(1);
            for (int i = 0; i < 100; i++)
                old.Run(() => true, "");
            Check.That(!old.Client.SendOrdered(message) && !old.Client.SendLarge(21, new byte[1]), "to an old server");
            Handled.Clear();
            old.Client.Send(message);
            old.Run(() => Handled.Count == 1, "the same message arrives without order");
            old.End();
            Pair oldClient = new Pair(6, hasClient: false);
            Connection to = oldClient.Server.Clients[0];
            Check.That(!oldClient.Server.SendLarge(21, new byte[1], to), "to an old client");
            oldClient.End();
        }

        public static void LimitsOfThePeerAreKept()
        {
            ExtensionOptions small = new ExtensionOptions { MaxMessageSize = 5000, ReassemblyBuffer = 10000, MaxPendingMessages = 4 };
            Pair pair = new Pair(7, options: small);
            int arrived = 0;
            pair.Server.UseExtension().HandleLarge(30, (from, bytes) => arrived++);
            Check.That(!pair.Client.SendLarge(30, new byte[5001]), "too long for the server");
            pair.Network.Loss = 0.2;
            for (int i = 0; i < 200; i++)
                Check.That(pair.Client.SendLarge(30, new byte[i % 5000]), "waits in the queue");
            pair.Run(() => arrived == 200, "all arrive within the limits");
            Check.That(pair.Client.IsConnected, "no limit was exceeded");
            while (pair.Client.SendLarge(30, new byte[5000])) { }
            Check.That(pair.Client.UseExtension().QueuedBytes > (8 << 20) - 5000, "the queue is bounded");
            pair.End();
        }

        public static void TheParametersAreThoseOfTheProtocol()
        {
            byte[] expected =
            {
                0, 0x67, 0x77, 0x78, 0x31, 1, 3, 0, 0, 0x10, 0, 0, 0, 0x20, 0, 0, 4,
            };
            Check.Bytes(expected, Hello.Encode(false, new ExtensionOptions()), "client");
            Hello hello;
            Check.That(Hello.TryDecode(expected, expected.Length, false, out hello), "decodes");
            Check.Equal(1U << 20, hello.MaxMessageSize, "longest message");
            Check.That(!Hello.TryDecode(expected, expected.Length, true, out hello), "not those of a server");
            Check.That(!Hello.TryDecode(expected, expected.Length - 1, false, out hello), "short");
        }

        private static bool Take(Reassembler reassembler, Frame frame, int length)
        {
            byte[] packet = new byte[FrameBytes + length];
            int header = frame.Encode(packet);
            Frame decoded;
            int received;
            return Frame.TryDecode(packet, header + length, out decoded) && reassembler.Receive(packet, ref decoded, out received);
        }

        private const int FrameBytes = 13;

        private static Frame Part(ushort number, ushort index, uint bits = 24, ushort size = 1)
        {
            return new Frame { IsOrdered = true, Number = number, Id = 5, Bits = bits, Size = size, Index = index };
        }

        public static void ViolationsAreFound()
        {
            ExtensionOptions options = new ExtensionOptions { MaxMessageSize = 100, ReassemblyBuffer = 300, MaxPendingMessages = 3 };
            Reassembler one = new Reassembler(options);
            Check.That(Take(one, Part(0, 1), 1) && Take(one, Part(0, 2), 1), "two of three parts");
            Check.That(!Take(one, Part(0, 2), 1), "a part again");
            Check.That(!Take(one, Part(0, 0, 16), 1), "another length");
            Check.That(!Take(one, Part(0, 3), 1), "a part too many");
            Check.That(!Take(one, Part(0, 0), 0), "a short part");
            Check.That(!Take(one, Part(1, 0, 808, 10), 10), "too long");
            Check.That(!Take(one, Part(1, 0, uint.MaxValue, 65535), 0), "half a gigabyte");
            Check.That(!Take(one, Part(3, 0), 1), "too far ahead");
            Check.That(!Take(one, Part(65535, 0), 1), "an old number");
            Check.That(Take(one, Part(2, 0), 1) && Take(one, Part(2, 1), 1), "below the buffer's size");
            Check.That(!Take(one, Part(1, 1), 1), "above it");
            Check.Equal(260, one.Held, "bytes held");
            Check.Equal(0, one.Ready.Count, "nothing is complete");
        }

        public static void RandomPacketsNeverThrow()
        {
            Random random = new Random(8);
            byte[] packet = new byte[40];
            ExtensionOptions options = new ExtensionOptions { ReassemblyBuffer = 5000 };
            Reassembler reassembler = new Reassembler(options);
            int taken = 0;
            for (int i = 0; i < 300000; i++)
            {
                random.NextBytes(packet);
                packet[0] = (byte)random.Next(6);
                for (int at = 1; at < 13; at++)
                    packet[at] = (byte)(random.Next(3) == 0 ? packet[at] : random.Next(4) == 0 ? 3 : 0);
                Frame frame;
                int received;
                if (Frame.TryDecode(packet, random.Next(packet.Length + 1), out frame)
                    && reassembler.Receive(packet, ref frame, out received))
                    taken++;
                Check.That(reassembler.Held <= options.ReassemblyBuffer, "bounded");
                if (i % 1000 == 0)
                    reassembler = new Reassembler(options);
            }
            Check.That(taken > 1000, "packets were taken: " + taken);
        }
    }
}
