using System;
using System.Collections.Generic;
using System.Net;

namespace Gamewire.Encryption
{
    /// <summary>One session with a server, without I/O: datagrams and times in milliseconds go in, datagrams come out.</summary>
    internal sealed class RecordClient
    {
        private const int MinResend = 250;
        private const int MaxResend = 1000;
        private const int MaxInitiations = 6;
        private const int MaxAnswers = 8;

        private readonly byte[] token;
        private readonly byte[] secret;
        private readonly IRandom random;
        private readonly Action<IPEndPoint, byte[], int> send;
        /// <summary>The server's addresses. The first one is in use; the others are tried until one answers.</summary>
        private readonly List<IPEndPoint> servers;
        private byte[] nonce;
        private byte[] cookie;
        private byte[] firstMessage;
        private byte[] ephemeral;
        private Noise initiator;
        private RecordCipher cipher;
        private long resendAt;
        private int interval;
        private int sends;
        private byte[] answer;
        private long answerAt;
        private int answersLeft;
        private byte[] confirmedChallenge;
        private IPEndPoint confirmedAddress;

        internal RecordClient(
            ClientKey key, IEnumerable<IPEndPoint> servers, IRandom random, Action<IPEndPoint, byte[], int> send, long now)
        {
            token = key.GetToken();
            secret = key.GetSecret();
            this.servers = new List<IPEndPoint>(servers);
            this.random = random;
            this.send = send;
            Restart(now);
        }

        /// <summary>The session has moved to this address of the client, as the server sees it.</summary>
        internal event Action<IPEndPoint> Moved;

        internal bool IsOpen { get { return cipher != null; } }

        /// <summary>Whether a server has answered. If the session does not open then, the key is wrong.</summary>
        internal bool HasAnswer { get; private set; }

        internal IPEndPoint Server { get { return servers[0]; } }

        private void Restart(long now)
        {
            nonce = random.Next(Wire.NonceBytes);
            initiator = null;
            cookie = null;
            BeginSending(now);
        }

        private void BeginSending(long now)
        {
            resendAt = now;
            interval = MinResend;
            sends = 0;
        }

        /// <summary>Sends a packet. Nothing is sent if the session is not open.</summary>
        internal void Send(byte[] packet, int count)
        {
            SendRecord(Wire.Data, packet, count);
        }

        private void SendRecord(byte kind, byte[] packet, int count)
        {
            if (cipher == null)
                return;
            int length;
            byte[] record = cipher.Seal(kind, packet, count, out length);
            if (record != null)
                send(Server, record, length);
        }

        /// <summary>Sends what is due.</summary>
        internal void Tick(long now)
        {
            SendHandshake(now);
            SendAnswer(now);
        }

        private void SendHandshake(long now)
        {
            if (cipher != null || resendAt > now)
                return;
            if (initiator != null && sends >= MaxInitiations)
            {
                Restart(now);
                Rotate(1);
            }
            if (initiator == null && sends > 0)
                Rotate(1);
            resendAt = now + interval;
            interval = Math.Min(2 * interval, MaxResend);
            sends++;
            byte[] packet = initiator == null
                ? Wire.WriteRequest(nonce)
                : Wire.Join(new[] { Wire.Initiation, Wire.Version }, nonce, cookie, firstMessage, token);
            send(Server, packet, packet.Length);
        }

        /// <summary>Moves the first addresses to the end.</summary>
        private void Rotate(int count)
        {
            servers.AddRange(servers.GetRange(0, count));
            servers.RemoveRange(0, count);
        }

        private void SendAnswer(long now)
        {
            if (answer == null || answerAt > now)
                return;
            byte[] message = Wire.Join(new[] { Wire.Answer }, answer);
            SendRecord(Wire.Control, message, message.Length);
            answerAt = now + MinResend;
            if (--answersLeft == 0)
                answer = null;
        }

        /// <summary>Handles a datagram.</summary>
        /// <returns><see cref="Outcome.Packet"/> if it contains one, which is in <paramref name="datagram"/> from
        /// <see cref="Wire.HeaderBytes"/> on.</returns>
        internal Outcome Handle(long now, IPEndPoint from, byte[] datagram, int count)
        {
            int server = servers.IndexOf(from);
            if (server < 0 || IsOpen && server > 0)
                return Outcome.UnknownAddress;
            Outcome outcome = Wire.Check(datagram, count);
            if (outcome != Outcome.Handled)
                return outcome;
            switch (datagram[0])
            {
                case Wire.Retry:
                    return OnRetry(now, server, datagram);
                case Wire.Response:
                    return OnResponse(server, datagram);
                case Wire.Data:
                case Wire.Control:
                    return OnRecord(now, datagram, count);
                default:
                    return Outcome.OutOfTurn;
            }
        }

        private Outcome OnRetry(long now, int server, byte[] datagram)
        {
            if (IsOpen || initiator != null || !Bytes.AreEqual(nonce, 0, datagram, 1, Wire.NonceBytes))
                return Outcome.OutOfTurn;
            // The other addresses stay, in case this one does not accept the client.
            Rotate(server);
            HasAnswer = true;
            cookie = Bytes.Slice(datagram, 1 + Wire.NonceBytes, Wire.CookieBytes);
            ephemeral = random.Next(X25519.KeyBytes);
            initiator = Noise.Initiate(secret, ephemeral, out firstMessage);
            BeginSending(now);
            SendHandshake(now);
            return Outcome.Handled;
        }

        private Outcome OnResponse(int server, byte[] datagram)
        {
            if (IsOpen || initiator == null || server != 0 || !Bytes.AreEqual(nonce, 0, datagram, 1, Wire.NonceBytes))
                return Outcome.OutOfTurn;
            uint id;
            SessionKeys keys;
            byte[] message = Bytes.Slice(datagram, 1 + Wire.NonceBytes, Noise.SecondBytes);
            if (!initiator.TryFinish(ephemeral, message, out id, out keys))
                return Outcome.WrongKey;
            cipher = new RecordCipher(id, keys, true);
            Array.Clear(ephemeral, 0, ephemeral.Length);
            initiator = null;
            return Outcome.Handled;
        }

        private Outcome OnRecord(long now, byte[] datagram, int count)
        {
            if (!IsOpen)
                return Outcome.OutOfTurn;
            if (Bytes.ReadUInt(datagram, 1) != cipher.Id)
                return Outcome.UnknownSession;
            bool isHighest;
            Outcome outcome = cipher.Open(datagram, count, out isHighest);
            if (outcome != Outcome.Packet || datagram[0] == Wire.Data)
                return outcome;
            byte[] message = Bytes.Slice(datagram, Wire.HeaderBytes, count - Wire.OverheadBytes);
            if (message.Length == 1 + Wire.ChallengeBytes && message[0] == Wire.Challenge)
                OnChallenge(now, message);
            else if (message.Length > 0 && message[0] == Wire.Moved)
                OnMoved(Wire.ReadMoved(message));
            return Outcome.Handled;
        }

        private void OnChallenge(long now, byte[] message)
        {
            // A repeated challenge is answered by the answer that waits.
            if (answer != null && Bytes.AreEqual(answer, 0, message, 1, Wire.ChallengeBytes))
                return;
            answer = Bytes.Slice(message, 1, Wire.ChallengeBytes);
            answersLeft = MaxAnswers;
            answerAt = now;
            SendAnswer(now);
        }

        /// <summary>Handles a confirmation. If it repeats the address of the last one, it does not confirm a later
        /// challenge, and there is no event.</summary>
        private void OnMoved(IPEndPoint address)
        {
            if (address == null || answer == null)
                return;
            bool isRepeated = address.Equals(confirmedAddress);
            if (!isRepeated || Bytes.AreEqual(confirmedChallenge, 0, answer, 0, Wire.ChallengeBytes))
            {
                confirmedChallenge = answer;
                confirmedAddress = address;
                answer = null;
            }
            if (!isRepeated && Moved != null)
                Moved(address);
        }
    }
}
