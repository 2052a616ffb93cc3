using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace Riptide
{
    using Transports;

    /// <summary>A connection with reliable messages: resent every 15 ms until they are acknowledged.</summary>
    public abstract class Connection
    {
        internal enum Stage { NotConnected, Connecting, Pending, Connected }

        private sealed class Unacked
        {
            internal byte[] Bytes;
            internal long SentAt;
        }

        private const int ResendAfter = 15;

        public Action<ushort> NotifyDelivered;
        public Action<ushort> NotifyLost;
        public Action<Message> NotifyReceived;
        public Action<ushort> ReliableDelivered;

        private readonly Dictionary<ushort, Unacked> unacked = new Dictionary<ushort, Unacked>();
        private readonly HashSet<ushort> handled = new HashSet<ushort>();
        private ushort nextSequenceId = 1;
        private ushort lastReceived;

        protected Connection()
        {
            Current = Stage.Connecting;
            CanQualityDisconnect = true;
            CanTimeout = true;
            MaxSendAttempts = 15;
            TimeoutTime = 5000;
        }

        internal Stage Current { get; set; }
        internal long LastHeard { get; set; }

        public ushort Id { get; internal set; }
        public bool IsNotConnected { get { return Current == Stage.NotConnected; } }
        public bool IsConnecting { get { return Current == Stage.Connecting; } }
        public bool IsPending { get { return Current == Stage.Pending; } }
        public bool IsConnected { get { return Current == Stage.Connected; } }
        public bool CanQualityDisconnect;
        public bool CanTimeout { get; set; }
        public int MaxSendAttempts;
        public int TimeoutTime { get; set; }

        internal static long Now { get { return Stopwatch.GetTimestamp() * 1000 / Stopwatch.Frequency; } }

        public ushort Send(Message message, bool shouldRelease = true)
        {
            ushort sequenceId = 0;
            if (message.SendMode == MessageSendMode.Reliable)
            {
                sequenceId = nextSequenceId++;
                message.SetBits(sequenceId, 16, Message.HeaderBits);
                byte[] copy = new byte[message.BytesInUse];
                Buffer.BlockCopy(message.Data, 0, copy, 0, copy.Length);
                unacked[sequenceId] = new Unacked { Bytes = copy, SentAt = Now };
            }
            Send(message.Data, message.BytesInUse);
            return sequenceId;
        }

        protected internal abstract void Send(byte[] dataBuffer, int amount);

        /// <summary>Returns whether a reliable message is new, and acknowledges it.</summary>
        internal bool Accept(ushort sequenceId)
        {
            if ((short)(sequenceId - lastReceived) > 0)
                lastReceived = sequenceId;
            bool isNew = handled.Add(sequenceId);
            // The number is used again after 65,536 messages.
            handled.Remove((ushort)(sequenceId + 32768));
            ulong bits = 0;
            for (int i = 0; i < 16; i++)
                bits |= handled.Contains((ushort)(lastReceived - 1 - i)) ? 1UL << i : 0;
            Message ack = Message.Create(MessageHeader.Ack).AddUShort(lastReceived).AddBits(bits, 16);
            ack.AddBool(sequenceId != lastReceived);
            if (sequenceId != lastReceived)
                ack.AddUShort(sequenceId);
            Send(ack);
            return isNew;
        }

        internal void HandleAck(Message message)
        {
            ushort last = message.GetUShort();
            ushort bits = message.GetUShort();
            ushort acked = message.GetBool() ? message.GetUShort() : last;
            Clear(acked);
            Clear(last);
            for (int i = 0; i < 16; i++)
            {
                if ((bits >> i & 1) != 0)
                    Clear((ushort)(last - 1 - i));
            }
        }

        private void Clear(ushort sequenceId)
        {
            if (unacked.Remove(sequenceId) && ReliableDelivered != null)
                ReliableDelivered(sequenceId);
        }

        internal void Resend()
        {
            foreach (Unacked one in new List<Unacked>(unacked.Values))
            {
                if (Now - one.SentAt < ResendAfter)
                    continue;
                one.SentAt = Now;
                Send(one.Bytes, one.Bytes.Length);
            }
        }
    }
}
