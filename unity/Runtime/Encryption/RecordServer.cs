using System;
using System.Collections.Generic;
using System.Net;

namespace Gamewire.Encryption
{
    /// <summary>The sessions of a server, without I/O. It stores nothing for a client that has not proven its address and
    /// its key, and sends an unproven address no more bytes than came from there.</summary>
    internal sealed class RecordServer
    {
        private const int SweepInterval = 1000;

        private readonly Action<IPEndPoint, byte[], int> send;
        private readonly IRandom random;
        private readonly RecordHandshakes handshakes;
        private readonly Dictionary<uint, RecordSession> sessions = new Dictionary<uint, RecordSession>();
        private long nextSweep;

        internal readonly EncryptionStats Stats = new EncryptionStats();
        internal int MaxSessions = 1024;
        internal int MaxSessionsPerToken = 8;
        internal int IdleTimeout = 60000;

        internal RecordServer(ServerKey key, IRandom random, Action<IPEndPoint, byte[], int> send)
        {
            this.random = random;
            this.send = send;
            handshakes = new RecordHandshakes(this, key, random);
        }

        /// <summary>A client has proven that it receives at a new address: the session and the address before.</summary>
        internal event Action<RecordSession, IPEndPoint> Moved;

        /// <summary>The server closed a session that was silent, exhausted, or one too many of its token.</summary>
        internal event Action<RecordSession> Closed;

        internal int SessionCount { get { return sessions.Count; } }

        internal bool Has(uint id)
        {
            return sessions.ContainsKey(id);
        }

        /// <summary>Handles a datagram.</summary>
        /// <returns><see cref="Outcome.Packet"/> if it contains one of <paramref name="session"/>, which is in
        /// <paramref name="datagram"/> from <see cref="Wire.HeaderBytes"/> on.</returns>
        internal Outcome Handle(long now, IPEndPoint from, byte[] datagram, int count, out RecordSession session)
        {
            session = null;
            Outcome outcome = Wire.Check(datagram, count);
            if (outcome == Outcome.Handled)
                outcome = Dispatch(now, from, datagram, count, out session);
            Stats.Count(outcome);
            return outcome;
        }

        private Outcome Dispatch(long now, IPEndPoint from, byte[] datagram, int count, out RecordSession session)
        {
            session = null;
            switch (datagram[0])
            {
                case Wire.Request:
                    handshakes.OnRequest(now, from, datagram);
                    return Outcome.Handled;
                case Wire.Initiation:
                    return handshakes.OnInitiation(now, from, datagram, count);
                case Wire.Data:
                case Wire.Control:
                    return OnRecord(now, from, datagram, count, out session);
                default:
                    return Outcome.OutOfTurn;
            }
        }

        internal void Reply(IPEndPoint to, byte[] packet)
        {
            send(to, packet, packet.Length);
        }

        /// <summary>Adds the session of a handshake.</summary>
        internal void Add(RecordSession session)
        {
            LimitToken(session.Token);
            sessions.Add(session.Cipher.Id, session);
        }

        /// <summary>Closes the session of a token that is silent for the longest time, if a further one would be too many.
        /// The empty token is that of all clients with the server's key.</summary>
        private void LimitToken(byte[] token)
        {
            if (token.Length == 0)
                return;
            int found = 0;
            RecordSession silent = null;
            foreach (RecordSession one in sessions.Values)
            {
                if (!one.HasToken(token))
                    continue;
                found++;
                if (silent == null || one.LastReceived < silent.LastReceived)
                    silent = one;
            }
            if (found < MaxSessionsPerToken || silent == null)
                return;
            Stats.Superseded++;
            End(silent);
        }

        private Outcome OnRecord(long now, IPEndPoint from, byte[] datagram, int count, out RecordSession session)
        {
            if (!sessions.TryGetValue(Bytes.ReadUInt(datagram, 1), out session))
                return Outcome.UnknownSession;
            bool isHighest;
            Outcome outcome = session.Cipher.Open(datagram, count, out isHighest);
            if (outcome != Outcome.Packet)
                return outcome;
            session.LastReceived = now;
            if (!session.IsOpen)
            {
                session.IsOpen = true;
                handshakes.Remove(session);
                Stats.Opened++;
            }
            bool isAnswer = datagram[0] == Wire.Control && count == Wire.OverheadBytes + 1 + Wire.ChallengeBytes
                && datagram[Wire.HeaderBytes] == Wire.Answer;
            if (isAnswer)
                OnAnswer(session, from, Bytes.Slice(datagram, Wire.HeaderBytes + 1, Wire.ChallengeBytes));
            // An older record was sent before the client's last one, so its address may be an earlier one.
            if (isHighest)
                OnLastAddress(now, session, from, count);
            return datagram[0] == Wire.Data ? Outcome.Packet : Outcome.Handled;
        }

        private void OnLastAddress(long now, RecordSession session, IPEndPoint from, int count)
        {
            if (session.Address.Equals(from))
            {
                // The client is back, so an answer that is still on its way from another address must not move it.
                session.NewPath = null;
                return;
            }
            if (session.NewPath == null || !session.NewPath.Address.Equals(from))
                session.NewPath = new NewPath(from, random.Next(Wire.ChallengeBytes));
            if (!session.NewPath.OnDatagram(now, count))
                return;
            Stats.Challenges++;
            SendControl(session, from, Wire.Join(new[] { Wire.Challenge }, session.NewPath.Challenge));
        }

        private void OnAnswer(RecordSession session, IPEndPoint from, byte[] data)
        {
            NewPath path = session.NewPath;
            if (path != null && path.Address.Equals(from) && Bytes.AreEqual(path.Challenge, 0, data, 0, data.Length))
            {
                IPEndPoint before = session.Address;
                session.Address = from;
                session.NewPath = null;
                session.Answered = data;
                Stats.Moved++;
                if (Moved != null)
                    Moved(session, before);
            }
            else if (!session.Address.Equals(from) || session.Answered == null
                || !Bytes.AreEqual(session.Answered, 0, data, 0, data.Length))
                return;
            // Also repeats a confirmation that was lost.
            SendControl(session, from, Wire.WriteMoved(from));
        }

        private void SendControl(RecordSession session, IPEndPoint to, byte[] message)
        {
            int length;
            byte[] record = session.Cipher.Seal(Wire.Control, message, message.Length, out length);
            if (record != null)
                send(to, record, length);
        }

        /// <summary>Sends a packet to a client that has sent a record.</summary>
        internal void Send(RecordSession session, byte[] packet, int count)
        {
            if (!session.IsOpen || session.IsClosed)
                return;
            int length;
            byte[] record = session.Cipher.Seal(Wire.Data, packet, count, out length);
            if (record != null)
                send(session.Address, record, length);
        }

        /// <summary>Closes a session without an event. Its client is not notified.</summary>
        internal void Close(RecordSession session)
        {
            session.IsClosed = true;
            sessions.Remove(session.Cipher.Id);
            handshakes.Remove(session);
        }

        private void End(RecordSession session)
        {
            Close(session);
            if (Closed != null)
                Closed(session);
        }

        /// <summary>Closes the sessions that were silent too long.</summary>
        internal void Tick(long now)
        {
            if (now < nextSweep)
                return;
            nextSweep = now + SweepInterval;
            handshakes.CloseOld(now);
            List<RecordSession> ended = new List<RecordSession>();
            foreach (RecordSession session in sessions.Values)
            {
                if (session.IsOpen && (now - session.LastReceived >= IdleTimeout || session.Cipher.IsExhausted))
                    ended.Add(session);
            }
            ended.ForEach(End);
        }
    }
}
