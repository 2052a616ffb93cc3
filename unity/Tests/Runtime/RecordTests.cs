using System;
using System.Collections.Generic;
using System.Net;
using System.Text;
using Gamewire.Encryption;

namespace Gamewire.Tests
{
    /// <summary>Random bytes that a test chooses: first those given, then a counter.</summary>
    internal sealed class ChosenRandom : IRandom
    {
        private readonly Queue<byte[]> chosen;
        private byte next = 1;

        internal ChosenRandom(params byte[][] chosen)
        {
            this.chosen = new Queue<byte[]>(chosen);
        }

        public byte[] Next(int count)
        {
            byte[] bytes = chosen.Count > 0 ? chosen.Dequeue() : Counted(count);
            if (bytes.Length != count)
                throw new InvalidOperationException("asked for " + count + " bytes");
            return bytes;
        }

        private byte[] Counted(int count)
        {
            byte[] bytes = new byte[count];
            bytes[0] = next++;
            return bytes;
        }
    }

    /// <summary>A datagram on its way.</summary>
    internal sealed class Sent
    {
        internal IPEndPoint To;
        internal byte[] Bytes;
    }

    /// <summary>A client and a server without sockets.</summary>
    internal sealed class RecordPair
    {
        internal static readonly IPEndPoint ServerAddress = new IPEndPoint(IPAddress.Parse("192.0.2.9"), 7777);
        internal static readonly ServerKey Key = new ServerKey(Vectors.Hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"));

        internal readonly List<Sent> FromClient = new List<Sent>();
        internal readonly List<Sent> FromServer = new List<Sent>();
        internal readonly List<byte[]> AtServer = new List<byte[]>();
        internal readonly List<IPEndPoint> Moves = new List<IPEndPoint>();
        internal readonly RecordServer Server;
        internal RecordClient Client;
        internal RecordSession Session;
        internal IPEndPoint Address = At(1);
        internal long Now = 100000;

        internal RecordPair() : this("player 5", new ChosenRandom(), new ChosenRandom()) { }

        internal RecordPair(string token, IRandom ofClient, IRandom ofServer)
        {
            Server = new RecordServer(Key, ofServer, (to, data, count) => FromServer.Add(Copy(to, data, count)));
            Connect(Key.ClientKey(token), ofClient);
        }

        internal static IPEndPoint At(int port)
        {
            return new IPEndPoint(IPAddress.Parse("192.0.2.1"), port);
        }

        internal void Connect(ClientKey key, IRandom random)
        {
            Client = new RecordClient(key, new[] { ServerAddress }, random, (to, data, count) => FromClient.Add(Copy(to, data, count)), Now);
            Client.Moved += Moves.Add;
        }

        private static Sent Copy(IPEndPoint to, byte[] data, int count)
        {
            return new Sent { To = to, Bytes = Gamewire.Encryption.Bytes.Slice(data, 0, count) };
        }

        internal Outcome ToServer(byte[] datagram, IPEndPoint from)
        {
            byte[] copy = (byte[])datagram.Clone();
            RecordSession session;
            Outcome outcome = Server.Handle(Now, from, copy, copy.Length, out session);
            Session = session ?? Session;
            if (outcome == Outcome.Packet)
                AtServer.Add(Gamewire.Encryption.Bytes.Slice(copy, 11, copy.Length - 27));
            return outcome;
        }

        internal Outcome ToClient(byte[] datagram)
        {
            byte[] copy = (byte[])datagram.Clone();
            return Client.Handle(Now, ServerAddress, copy, copy.Length);
        }

        /// <summary>Takes the only datagram of a side.</summary>
        internal static byte[] Take(List<Sent> sent)
        {
            Check.Equal(1, sent.Count, "datagrams");
            byte[] bytes = sent[0].Bytes;
            sent.Clear();
            return bytes;
        }

        internal byte[] ClientRecord(string text)
        {
            byte[] packet = Encoding.ASCII.GetBytes(text);
            Client.Send(packet, packet.Length);
            return Take(FromClient);
        }

        /// <summary>Carries datagrams until both sides are silent. Those to addresses that the client does not have are
        /// lost.</summary>
        internal void Carry()
        {
            while (FromClient.Count + FromServer.Count > 0)
            {
                foreach (Sent sent in Drain(FromClient))
                    ToServer(sent.Bytes, Address);
                foreach (Sent sent in Drain(FromServer))
                {
                    if (sent.To.Equals(Address))
                        ToClient(sent.Bytes);
                }
            }
        }

        private static List<Sent> Drain(List<Sent> sent)
        {
            List<Sent> drained = new List<Sent>(sent);
            sent.Clear();
            return drained;
        }

        internal RecordPair Open()
        {
            Client.Tick(Now);
            Carry();
            Check.That(Client.IsOpen, "the session is open");
            ToServer(ClientRecord("first"), Address);
            return this;
        }
    }

    /// <summary>The record layer without sockets: its golden session, moves, and attacks by name.</summary>
    public static class RecordTests
    {
        public static void ASessionHasTheBytesOfTheGoldenVectors()
        {
            Dictionary<string, byte[]> v = Vectors.ReadJson("session.json", "session");
            Dictionary<string, byte[]> chosen = Vectors.ReadJson("session.json", "inputs");
            RecordPair pair = new RecordPair(
                "player 5",
                new ChosenRandom(chosen["nonce"], chosen["client_ephemeral_secret"]),
                new ChosenRandom(new byte[32], chosen["connection_id"], chosen["server_ephemeral_secret"], chosen["challenge"]));
            Check.Bytes(v["token_secret"], RecordPair.Key.ClientKey("player 5").GetSecret(), "token_secret");
            pair.Client.Tick(pair.Now);
            byte[] request = RecordPair.Take(pair.FromClient);
            Check.Bytes(v["request"], request, "request");
            pair.ToServer(request, RecordPair.At(1));
            byte[] retry = RecordPair.Take(pair.FromServer);
            // The cookie is another one: only its server reads it.
            pair.ToClient(retry);
            byte[] initiation = RecordPair.Take(pair.FromClient);
            byte[] golden = (byte[])v["initiation"].Clone();
            Buffer.BlockCopy(retry, 9, golden, 10, 16);
            Check.Bytes(golden, initiation, "initiation");
            pair.ToServer(initiation, RecordPair.At(1));
            byte[] response = RecordPair.Take(pair.FromServer);
            Check.Bytes(v["response"], response, "response");
            Check.Equal(Outcome.Handled, pair.ToClient(response), "response");
            ContinueGolden(pair, v, chosen);
        }

        private static void ContinueGolden(RecordPair pair, Dictionary<string, byte[]> v, Dictionary<string, byte[]> chosen)
        {
            byte[] packet = chosen["client_packet_0"];
            pair.Client.Send(packet, packet.Length);
            byte[] record = RecordPair.Take(pair.FromClient);
            Check.Bytes(v["client_record_0"], record, "client_record_0");
            Check.Equal(Outcome.Packet, pair.ToServer(record, RecordPair.At(1)), "client_record_0");
            packet = chosen["server_packet_0"];
            pair.Server.Send(pair.Session, packet, packet.Length);
            record = RecordPair.Take(pair.FromServer);
            Check.Bytes(v["server_record_0"], record, "server_record_0");
            Check.Equal(Outcome.Packet, pair.ToClient(record), "server_record_0");
            packet = chosen["client_packet_1"];
            pair.Client.Send(packet, packet.Length);
            record = RecordPair.Take(pair.FromClient);
            Check.Bytes(v["client_record_1"], record, "client_record_1");
            pair.ToServer(record, RecordPair.At(2));
            byte[] challenge = RecordPair.Take(pair.FromServer);
            Check.Bytes(v["challenge"], challenge, "challenge");
            pair.ToClient(challenge);
            byte[] answer = RecordPair.Take(pair.FromClient);
            Check.Bytes(v["answer"], answer, "answer");
            pair.ToServer(answer, RecordPair.At(2));
            byte[] moved = RecordPair.Take(pair.FromServer);
            Check.Bytes(v["moved"], moved, "moved");
            pair.ToClient(moved);
            Check.Equal(RecordPair.At(2), pair.Moves[0], "the client's new address");
        }

        public static void RepliesAreShorterThanTheirRequests()
        {
            RecordPair pair = new RecordPair();
            pair.Client.Tick(pair.Now);
            byte[] request = RecordPair.Take(pair.FromClient);
            pair.ToServer(request, pair.Address);
            byte[] retry = RecordPair.Take(pair.FromServer);
            Check.That(retry.Length < request.Length, "retry");
            pair.ToClient(retry);
            byte[] initiation = RecordPair.Take(pair.FromClient);
            pair.ToServer(initiation, pair.Address);
            byte[] response = RecordPair.Take(pair.FromServer);
            Check.That(response.Length < initiation.Length, "response");
            // A repeated initiation gets the same response, and no second session.
            pair.ToServer(initiation, pair.Address);
            Check.Bytes(response, RecordPair.Take(pair.FromServer), "the second response");
            Check.Equal(1, pair.Server.SessionCount, "sessions");
        }

        public static void ALostHandshakePacketIsSentAgain()
        {
            for (int lost = 0; lost < 4; lost++)
            {
                RecordPair pair = new RecordPair();
                int number = 0;
                for (int i = 0; i < 100 && !pair.Client.IsOpen; i++, pair.Now += 100)
                {
                    pair.Client.Tick(pair.Now);
                    while (pair.FromClient.Count + pair.FromServer.Count > 0)
                    {
                        bool isRequest = pair.FromClient.Count > 0;
                        byte[] bytes = RecordPair.Take(isRequest ? pair.FromClient : pair.FromServer);
                        if (number++ == lost)
                            continue;
                        if (isRequest)
                            pair.ToServer(bytes, pair.Address);
                        else
                            pair.ToClient(bytes);
                    }
                }
                Check.That(pair.Client.IsOpen, "open although datagram " + lost + " was lost");
            }
        }

        public static void AClientWithAnotherKeyIsRefusedBeforeAnySession()
        {
            RecordPair pair = new RecordPair();
            pair.Connect(new ClientKey(Encoding.ASCII.GetBytes("player 5"), new byte[32]), new ChosenRandom());
            for (int i = 0; i < 100; i++, pair.Now += 100)
            {
                pair.Client.Tick(pair.Now);
                pair.Carry();
            }
            Check.That(!pair.Client.IsOpen && pair.Client.HasAnswer, "the client knows that the server answers");
            Check.Equal(0, pair.Server.SessionCount, "sessions");
            Check.That(pair.Server.Stats.WrongKeys > 3, "wrong keys: " + pair.Server.Stats.WrongKeys);
        }

        public static void AnInitiationNeedsAFreshCookieOfItsAddress()
        {
            RecordPair pair = new RecordPair();
            pair.Client.Tick(pair.Now);
            pair.ToServer(RecordPair.Take(pair.FromClient), pair.Address);
            pair.ToClient(RecordPair.Take(pair.FromServer));
            byte[] initiation = RecordPair.Take(pair.FromClient);
            Check.Equal(Outcome.WrongCookie, pair.ToServer(initiation, RecordPair.At(2)), "from another address");
            pair.Now += 25000;
            Check.Equal(Outcome.WrongCookie, pair.ToServer(initiation, pair.Address), "after 25 s");
            Check.Equal(0, pair.Server.SessionCount + pair.FromServer.Count, "sessions and replies");
        }

        public static void ReplayedAlteredAndGuessedRecordsAreCountedAndChangeNothing()
        {
            RecordPair pair = new RecordPair().Open();
            byte[] record = pair.ClientRecord("one");
            for (int i = 0; i < record.Length * 8; i++)
            {
                byte[] altered = (byte[])record.Clone();
                altered[i / 8] ^= (byte)(1 << (i % 8));
                Check.That(pair.ToServer(altered, RecordPair.At(2)) != Outcome.Packet, "bit " + i + " altered");
            }
            Check.Equal(Outcome.Packet, pair.ToServer(record, pair.Address), "genuine");
            byte[] other = pair.ClientRecord("two");
            for (int i = 0; i < 100; i++)
                Check.Equal(Outcome.Replayed, pair.ToServer(record, RecordPair.At(2)), "replayed");
            Random random = new Random(1);
            for (int i = 0; i < 1000; i++)
            {
                byte[] guess = new byte[random.Next(60)];
                random.NextBytes(guess);
                pair.ToServer(guess, RecordPair.At(2));
            }
            Check.Equal(2, pair.AtServer.Count, "packets, with the first one");
            Check.That(pair.Server.Stats.Replayed >= 100 && pair.Server.Stats.Forged > 100, "counted");
            Check.Equal(0L, pair.Server.Stats.Challenges, "challenges");
            Check.Equal(Outcome.Packet, pair.ToServer(other, pair.Address), "the session works");
        }

        public static void RecordsArriveOnceInAnyOrderWithinTheWindow()
        {
            ReplayWindow window = new ReplayWindow();
            HashSet<ulong> marked = new HashSet<ulong>();
            Random random = new Random(2);
            ulong highest = 0;
            for (int i = 0; i < 200000; i++)
            {
                ulong counter = (ulong)Math.Max(0, (long)highest + random.Next(-1100, 30) + (random.Next(500) == 0 ? 2000 : 0));
                bool isInWindow = marked.Count == 0 || counter + 1024 > highest;
                Check.Equal(isInWindow && !marked.Contains(counter), window.IsNew(counter), "new: " + counter);
                if (!window.IsNew(counter))
                    continue;
                Check.Equal(marked.Count == 0 || counter > highest, window.IsHighest(counter), "highest: " + counter);
                window.Mark(counter);
                marked.Add(counter);
                highest = Math.Max(highest, counter);
            }
        }

        public static void ANewAddressIsChallengedBeforePacketsGoThere()
        {
            RecordPair pair = new RecordPair().Open();
            pair.Address = RecordPair.At(2);
            pair.ToServer(pair.ClientRecord("from the new address"), pair.Address);
            Sent challenge = pair.FromServer[0];
            Check.Equal(pair.Address, challenge.To, "the challenge goes to the new address");
            pair.FromServer.Clear();
            pair.Server.Send(pair.Session, new byte[] { 1 }, 1);
            Check.Equal(RecordPair.At(1), pair.FromServer[0].To, "packets go to the old address until it is answered");
            pair.FromServer.Clear();
            pair.ToClient(challenge.Bytes);
            pair.Carry();
            pair.Server.Send(pair.Session, new byte[] { 1 }, 1);
            Check.Equal(pair.Address, pair.FromServer[0].To, "packets go to the new address");
            Check.Equal(pair.Address, pair.Moves[0], "the client knows its new address");
            Check.Equal(1L, pair.Server.Stats.Moved, "moves");
        }

        public static void ALostChallengeAnswerOrConfirmationDoesNotEndTheSession()
        {
            for (int lost = 0; lost < 3; lost++)
            {
                RecordPair pair = new RecordPair().Open();
                pair.Address = RecordPair.At(2);
                int number = 0;
                for (int i = 0; i < 100 && pair.Moves.Count == 0; i++, pair.Now += 100)
                {
                    pair.Client.Tick(pair.Now);
                    if (i % 5 == 0)
                        pair.ToServer(pair.FromClient.Count > 0 ? RecordPair.Take(pair.FromClient) : pair.ClientRecord("x"), pair.Address);
                    while (pair.FromServer.Count > 0)
                    {
                        byte[] bytes = RecordPair.Take(pair.FromServer);
                        if (number++ == lost)
                            continue;
                        pair.ToClient(bytes);
                        if (pair.FromClient.Count > 0 && number++ != lost)
                            pair.ToServer(RecordPair.Take(pair.FromClient), pair.Address);
                        pair.FromClient.Clear();
                    }
                    pair.FromClient.Clear();
                }
                Check.Equal(1, pair.Moves.Count, "moves, with datagram " + lost + " lost");
            }
        }

        public static void ACapturedRecordFromAForgedAddressMovesNothing()
        {
            RecordPair pair = new RecordPair().Open();
            // The attacker sends it first, from an address where it may receive; the client's next one is newer.
            byte[] captured = pair.ClientRecord("captured on its way");
            Check.Equal(Outcome.Packet, pair.ToServer(captured, RecordPair.At(66)), "it is genuine");
            byte[] challenge = RecordPair.Take(pair.FromServer);
            Check.That(challenge.Length <= captured.Length, "no more bytes than came from there");
            Check.Equal(Outcome.Packet, pair.ToServer(pair.ClientRecord("next"), pair.Address), "the client is at its address");
            pair.ToClient(challenge);
            pair.ToServer(RecordPair.Take(pair.FromClient), RecordPair.At(66));
            Check.Equal(0L, pair.Server.Stats.Moved, "moves");
            pair.FromServer.Clear();
            pair.Server.Send(pair.Session, new byte[] { 1 }, 1);
            Check.Equal(pair.Address, pair.FromServer[0].To, "packets go to the client");
        }

        public static void AForgedAddressGetsNoMoreBytesThanItSent()
        {
            RecordPair pair = new RecordPair().Open();
            int received = 0;
            for (int i = 0; i < 2000; i++, pair.Now += 50)
            {
                byte[] record = pair.ClientRecord("");
                received += record.Length;
                pair.ToServer(record, RecordPair.At(66));
            }
            int sent = 0;
            foreach (Sent one in pair.FromServer)
                sent += one.Bytes.Length;
            Check.That(pair.FromServer.Count <= 16 && sent <= received, sent + " bytes for " + received);
        }

        public static void OneTokenHasAtMostItsSessions()
        {
            RecordPair pair = new RecordPair().Open();
            RecordSession first = pair.Session;
            List<RecordSession> closed = new List<RecordSession>();
            pair.Server.Closed += closed.Add;
            for (int i = 0; i < 50; i++)
            {
                pair.Now += 100;
                pair.Connect(RecordPair.Key.ClientKey("player 5"), new ChosenRandom(BitConverter.GetBytes((long)i), NewSecret(i)));
                pair.Open();
            }
            Check.Equal(8, pair.Server.SessionCount, "sessions of one token");
            Check.Equal(43, closed.Count, "closed sessions");
            Check.That(closed[0] == first, "the one that is silent for the longest time is closed first");
            pair.Connect(RecordPair.Key.ClientKey("player 6"), new ChosenRandom(new byte[8], NewSecret(99)));
            pair.Open();
            Check.Equal(9, pair.Server.SessionCount, "another token");
        }

        private static byte[] NewSecret(int number)
        {
            byte[] secret = new byte[32];
            secret[1] = (byte)(number + 1);
            return secret;
        }

        public static void SilentHandshakesAndSessionsAreClosed()
        {
            RecordPair pair = new RecordPair();
            pair.Client.Tick(pair.Now);
            pair.Carry();
            Check.Equal(1, pair.Server.SessionCount, "a handshake without a record");
            pair.Now += 6000;
            pair.Server.Tick(pair.Now);
            Check.Equal(0, pair.Server.SessionCount, "sessions after 6 s");
            pair = new RecordPair().Open();
            int closed = 0;
            pair.Server.Closed += _ => closed++;
            pair.Now += 59000;
            pair.Server.Tick(pair.Now);
            Check.Equal(1, pair.Server.SessionCount, "sessions after 59 s");
            pair.Now += 2000;
            pair.Server.Tick(pair.Now);
            Check.Equal(1, closed, "closed after 61 s");
        }

        public static void HandshakesOfOneNetworkAreLimited()
        {
            RecordPair pair = new RecordPair();
            for (int i = 0; i < 100; i++)
            {
                pair.Address = RecordPair.At(100 + i);
                pair.Connect(RecordPair.Key.ClientKey("player " + i), new ChosenRandom(BitConverter.GetBytes((long)i), NewSecret(i)));
                pair.Client.Tick(pair.Now);
                pair.Carry();
            }
            Check.Equal(32, pair.Server.SessionCount, "handshakes of one address");
            Check.Equal(68L, pair.Server.Stats.Full, "refused");
        }

        public static void ASessionEndsWhenItsCountersAreUsed()
        {
            RecordPair pair = new RecordPair().Open();
            pair.Session.Cipher.Next = Wire.MaxCounter;
            pair.Server.Send(pair.Session, new byte[] { 1 }, 1);
            Check.Equal(Outcome.Packet, pair.ToClient(RecordPair.Take(pair.FromServer)), "the last record");
            pair.Server.Send(pair.Session, new byte[] { 1 }, 1);
            Check.Equal(0, pair.FromServer.Count, "records after the last one");
            pair.Server.Tick(pair.Now);
            Check.Equal(0, pair.Server.SessionCount, "sessions");
        }

        public static void KeysAreReadAsGamewireWritesThem()
        {
            string text = RecordPair.Key.ToHex();
            Check.Equal(text, ServerKey.FromHex(" " + text.ToUpperInvariant() + "\n").ToHex(), "key");
            foreach (string wrong in new[] { "", text.Substring(1), text + "0", text.Replace('0', 'g'), text.Substring(2) + "+1" })
            {
                try
                {
                    ServerKey.FromHex(wrong);
                }
                catch (FormatException)
                {
                    continue;
                }
                Check.That(false, "refused: " + wrong);
            }
            Check.That(ServerKey.Generate().ToHex() != ServerKey.Generate().ToHex(), "generated keys differ");
        }
    }
}
