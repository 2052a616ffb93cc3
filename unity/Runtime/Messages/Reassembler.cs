using System;
using System.Collections.Generic;

namespace Gamewire.Messages
{
    /// <summary>A complete message of the extension.</summary>
    internal struct Complete
    {
        internal ushort Id;
        internal uint Bits;
        internal byte[] Bytes;
    }

    /// <summary>Incomplete messages, and those that wait for earlier ones. Memory is allocated only for what arrived.</summary>
    internal sealed class Reassembler
    {
        private sealed class Assembly
        {
            internal Frame First;
            internal readonly SortedDictionary<ushort, byte[]> Parts = new SortedDictionary<ushort, byte[]>();
            internal int Received;
            internal bool IsComplete { get { return Parts.Count == First.Count; } }
        }

        private readonly ExtensionOptions options;
        private readonly Dictionary<ushort, Assembly> ordered = new Dictionary<ushort, Assembly>();
        private readonly Dictionary<ushort, Assembly> loose = new Dictionary<ushort, Assembly>();
        private ushort next;

        internal Reassembler(ExtensionOptions options)
        {
            this.options = options;
        }

        /// <summary>Complete messages, in order.</summary>
        internal readonly Queue<Complete> Ready = new Queue<Complete>();

        /// <summary>Bytes of incomplete and waiting messages, and 64 for each packet.</summary>
        internal int Held { get; private set; }

        /// <summary>Takes a packet. Returns false if it violates the rules; the connection must close, because an
        /// acknowledged packet cannot be dropped.</summary>
        /// <param name="received">Bytes of the message that have arrived.</param>
        internal bool Receive(byte[] packet, ref Frame frame, out int received)
        {
            received = frame.Length;
            // Above 2 GiB the bytes do not fit an int.
            if ((frame.Bits + 7L) / 8 > options.MaxMessageSize)
                return false;
            if (frame.IsOrdered && (ushort)(frame.Number - next) >= options.PendingMessages)
                return false;
            Dictionary<ushort, Assembly> assemblies = frame.IsOrdered ? ordered : loose;
            Assembly assembly;
            bool isNew = !assemblies.TryGetValue(frame.Number, out assembly);
            if (isNew && frame.IsOrdered && frame.Number == next && frame.Size == 0)
            {
                Release(ref frame, Copy(packet, ref frame));
                next++;
                ReleaseWaiting();
                return true;
            }
            int cost = ExtensionOptions.PacketCost + frame.Length;
            if (Held + cost > options.ReassemblyBuffer
                || (isNew && ordered.Count + loose.Count >= options.PendingMessages))
                return false;
            if (isNew)
                assemblies[frame.Number] = assembly = new Assembly { First = frame };
            if (!assembly.First.IsSameMessage(ref frame) || assembly.Parts.ContainsKey(frame.Index))
                return false;
            assembly.Parts.Add(frame.Index, Copy(packet, ref frame));
            assembly.Received += frame.Length;
            received = assembly.Received;
            Held += cost;
            if (frame.IsOrdered)
                ReleaseWaiting();
            else if (assembly.IsComplete)
            {
                loose.Remove(frame.Number);
                Release(assembly);
            }
            return true;
        }

        private void ReleaseWaiting()
        {
            Assembly assembly;
            while (ordered.TryGetValue(next, out assembly) && assembly.IsComplete)
            {
                ordered.Remove(next++);
                Release(assembly);
            }
        }

        private void Release(Assembly assembly)
        {
            Held -= assembly.Parts.Count * ExtensionOptions.PacketCost + assembly.Received;
            byte[] bytes = new byte[assembly.Received];
            int at = 0;
            foreach (byte[] part in assembly.Parts.Values)
            {
                part.CopyTo(bytes, at);
                at += part.Length;
            }
            Release(ref assembly.First, bytes);
        }

        private void Release(ref Frame frame, byte[] bytes)
        {
            Ready.Enqueue(new Complete { Id = frame.Id, Bits = frame.Bits, Bytes = bytes });
        }

        private static byte[] Copy(byte[] packet, ref Frame frame)
        {
            byte[] content = new byte[frame.Length];
            Buffer.BlockCopy(packet, frame.Start, content, 0, content.Length);
            return content;
        }
    }
}
