using System;

namespace Gamewire.Messages
{
    /// <summary>One packet of an ordered or fragmented message: docs/protocols/riptide.md of gamewire has the bytes.</summary>
    internal struct Frame
    {
        private const byte Ordered = 2;
        private const byte Fragment = 3;
        private const byte OrderedFragment = 4;

        internal const int WholeHeader = 9;
        internal const int FragmentHeader = 13;

        internal bool IsOrdered;
        /// <summary>Number in the order of ordered messages; otherwise a number that is unique in flight.</summary>
        internal ushort Number;
        internal ushort Id;
        /// <summary>Bits of all values of the message.</summary>
        internal uint Bits;
        /// <summary>Bytes of each fragment but the last; 0 for a complete message.</summary>
        internal ushort Size;
        internal ushort Index;
        /// <summary>Offset of the content in the packet.</summary>
        internal int Start;
        internal int Length;

        internal int Bytes { get { return (int)(((long)Bits + 7) / 8); } }
        internal int Count { get { return Size == 0 ? 1 : (int)(((long)Bytes + Size - 1) / Size); } }

        /// <summary>Returns whether both are packets of the same message.</summary>
        internal bool IsSameMessage(ref Frame other)
        {
            return IsOrdered == other.IsOrdered && Number == other.Number && Id == other.Id && Bits == other.Bits
                && Size == other.Size;
        }

        /// <summary>Decodes a packet. Returns false if it is invalid.</summary>
        internal static bool TryDecode(byte[] packet, int length, out Frame frame)
        {
            frame = new Frame();
            if (length < WholeHeader || packet[0] < Ordered || packet[0] > OrderedFragment)
                return false;
            frame.IsOrdered = packet[0] != Fragment;
            frame.Number = Little.UShort(packet, 1);
            frame.Id = Little.UShort(packet, 3);
            frame.Bits = Little.UInt(packet, 5);
            frame.Start = WholeHeader;
            frame.Length = frame.Bytes;
            if (packet[0] != Ordered)
            {
                if (length < FragmentHeader)
                    return false;
                frame.Size = Little.UShort(packet, 9);
                frame.Index = Little.UShort(packet, 11);
                int count = frame.Size == 0 ? 0 : frame.Count;
                if (count < 2 || count > ushort.MaxValue || frame.Index >= count)
                    return false;
                frame.Start = FragmentHeader;
                frame.Length = Math.Min(frame.Bytes - frame.Index * frame.Size, frame.Size);
            }
            return length - frame.Start >= frame.Length;
        }

        /// <summary>Writes the header. Returns its length.</summary>
        internal int Encode(byte[] into)
        {
            into[0] = Size == 0 ? Ordered : IsOrdered ? OrderedFragment : Fragment;
            Little.Put(into, 1, Number, 2);
            Little.Put(into, 3, Id, 2);
            Little.Put(into, 5, Bits, 4);
            if (Size == 0)
                return WholeHeader;
            Little.Put(into, 9, Size, 2);
            Little.Put(into, 11, Index, 2);
            return FragmentHeader;
        }
    }

    /// <summary>Little-endian numbers.</summary>
    internal static class Little
    {
        internal static ushort UShort(byte[] bytes, int at)
        {
            return (ushort)(bytes[at] | bytes[at + 1] << 8);
        }

        internal static uint UInt(byte[] bytes, int at)
        {
            return UShort(bytes, at) | (uint)UShort(bytes, at + 2) << 16;
        }

        internal static void Put(byte[] into, int at, uint value, int count)
        {
            for (int i = 0; i < count; i++)
                into[at + i] = (byte)(value >> 8 * i);
        }
    }
}
