using Riptide;

namespace Gamewire.Messages
{
    /// <summary>The bits of messages as bytes, the first bit in the lowest bit of the first byte.</summary>
    internal static class MessageBits
    {
        /// <summary>Bits before the id of a reliable message.</summary>
        internal const int ReliableHeader = 20;

        /// <summary>Copies <paramref name="count"/> bits from <paramref name="start"/> on without reading them.</summary>
        internal static void Peek(Message message, int start, int count, byte[] into)
        {
            for (int at = 0; at < count; at += 8)
            {
                byte bits;
                message.PeekBits(count - at < 8 ? count - at : 8, start + at, out bits);
                into[at / 8] = bits;
            }
        }

        internal static void Add(Message message, byte[] bytes, int count)
        {
            for (int at = 0; at < count; at += 8)
            {
                int left = count - at;
                message.AddBits(left < 8 ? (byte)(bytes[at / 8] & (1 << left) - 1) : bytes[at / 8], left < 8 ? left : 8);
            }
        }

        /// <summary>Reads the id of a message that was created with one. Returns the bit after it.</summary>
        internal static int PeekId(Message message, out ushort id)
        {
            int at = ReliableHeader;
            int value = 0;
            for (int shift = 0; shift < 21; shift += 7)
            {
                byte next;
                message.PeekBits(8, at, out next);
                at += 8;
                value |= (next & 127) << shift;
                if (next < 128)
                    break;
            }
            id = (ushort)value;
            return at;
        }
    }
}
