using System;
using System.Collections.Generic;

namespace Gamewire.Messages
{
    /// <summary>Messages that are not completely acknowledged. A window limits the packets in flight, because Riptide
    /// has none: it would send a large message at once, and lose most of it in the buffers of the network.</summary>
    internal sealed class Outbox
    {
        private sealed class Outgoing
        {
            internal Frame Frame;
            internal byte[] Bytes;
            internal int Sent;
            internal int Acked;
            internal int Cost;
            internal bool IsLarge;
        }

        private readonly ExtensionOptions options;
        private readonly Func<byte[], int, ushort> send;
        private readonly Dictionary<ushort, Outgoing> inFlight = new Dictionary<ushort, Outgoing>();
        /// <summary>From the oldest message that is not completely acknowledged; the peer may hold all of them.</summary>
        private readonly LinkedList<Outgoing> started = new LinkedList<Outgoing>();
        private readonly Queue<Outgoing> waiting = new Queue<Outgoing>();
        /// <summary>The sequence ids of packets in the order of sending, from the oldest unacknowledged one.</summary>
        private readonly Queue<ushort> sequence = new Queue<ushort>();
        private readonly byte[] packet;
        private ushort lastSequenceId;
        private readonly int packetSize;
        private int startedCost;
        private ushort nextNumber;
        private bool isPumping;

        /// <param name="options">The limits.</param>
        /// <param name="packetSize">Maximum bytes of a packet with its header.</param>
        /// <param name="send">Sends a packet reliably and returns its sequence id.</param>
        internal Outbox(ExtensionOptions options, int packetSize, Func<byte[], int, ushort> send)
        {
            this.options = options;
            this.packetSize = packetSize;
            this.send = send;
            packet = new byte[packetSize];
        }

        /// <summary>Called with the id, the acknowledged bytes and all bytes of a large message.</summary>
        internal Action<ushort, int, int> Progress;

        /// <summary>Bytes of the messages that are not completely acknowledged.</summary>
        internal int QueuedBytes { get; private set; }

        /// <summary>Queues an ordered message. Returns false if it exceeds a limit of the peer or of the queue.</summary>
        internal bool Add(ushort id, uint bits, byte[] bytes, bool isLarge, ref Hello peer)
        {
            Frame frame = new Frame { IsOrdered = true, Id = id, Bits = bits };
            if (bytes.Length + Frame.WholeHeader > packetSize)
                frame.Size = (ushort)Math.Min(packetSize - Frame.FragmentHeader, ushort.MaxValue);
            long cost = (long)frame.Count * ExtensionOptions.PacketCost + bytes.Length;
            if (frame.Count > ushort.MaxValue || bytes.Length > peer.MaxMessageSize || cost > peer.ReassemblyBuffer
                || !peer.CanOrder || (frame.Size > 0 && !peer.CanReassemble)
                || (long)QueuedBytes + bytes.Length > options.MaxQueuedBytes)
                return false;
            QueuedBytes += bytes.Length;
            waiting.Enqueue(new Outgoing { Frame = frame, Bytes = bytes, Cost = (int)cost, IsLarge = isLarge });
            Pump(ref peer);
            return true;
        }

        /// <summary>Sends as much as the window and the peer's buffer allow.</summary>
        internal void Pump(ref Hello peer)
        {
            // Sending may acknowledge something, if the transport is in memory.
            if (isPumping)
                return;
            isPumping = true;
            try
            {
                while (HasWindow)
                {
                    Outgoing last = started.Count > 0 ? started.Last.Value : null;
                    if (last == null || last.Sent == last.Frame.Count)
                        last = Start(ref peer);
                    if (last == null)
                        return;
                    SendNext(last);
                }
            }
            finally
            {
                isPumping = false;
            }
        }

        /// <summary>True if the next packet is close enough to the oldest unacknowledged one. Counting only the packets in
        /// flight would let the gap grow while one is lost again and again.</summary>
        private bool HasWindow
        {
            get
            {
                while (sequence.Count > 0 && !inFlight.ContainsKey(sequence.Peek()))
                    sequence.Dequeue();
                return sequence.Count == 0 || (ushort)(lastSequenceId - sequence.Peek()) + 1 < options.Window;
            }
        }

        private Outgoing Start(ref Hello peer)
        {
            if (waiting.Count == 0)
                return null;
            Outgoing next = waiting.Peek();
            if (started.Count >= peer.MaxPendingMessages || (long)startedCost + next.Cost > peer.ReassemblyBuffer)
                return null;
            waiting.Dequeue();
            next.Frame.Number = nextNumber++;
            startedCost += next.Cost;
            started.AddLast(next);
            return next;
        }

        private void SendNext(Outgoing message)
        {
            int size = message.Frame.Size == 0 ? message.Bytes.Length : message.Frame.Size;
            int start = message.Sent * size;
            int length = Math.Min(size, message.Bytes.Length - start);
            message.Frame.Index = (ushort)message.Sent++;
            int header = message.Frame.Encode(packet);
            Buffer.BlockCopy(message.Bytes, start, packet, header, length);
            lastSequenceId = send(packet, header + length);
            sequence.Enqueue(lastSequenceId);
            inFlight[lastSequenceId] = message;
        }

        /// <summary>Handles the acknowledgement of a packet.</summary>
        internal void Acked(ushort sequenceId, ref Hello peer)
        {
            Outgoing message;
            if (!inFlight.TryGetValue(sequenceId, out message))
                return;
            inFlight.Remove(sequenceId);
            message.Acked++;
            bool isDone = message.Acked == message.Frame.Count;
            if (isDone)
                QueuedBytes -= message.Bytes.Length;
            while (started.Count > 0 && started.First.Value.Acked == started.First.Value.Frame.Count)
            {
                startedCost -= started.First.Value.Cost;
                started.RemoveFirst();
            }
            Pump(ref peer);
            if (message.IsLarge && Progress != null)
            {
                int acked = isDone ? message.Bytes.Length : Math.Min(message.Acked * message.Frame.Size, message.Bytes.Length - 1);
                Progress(message.Frame.Id, acked, message.Bytes.Length);
            }
        }
    }
}
