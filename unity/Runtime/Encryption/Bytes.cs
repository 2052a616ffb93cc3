namespace Gamewire.Encryption
{
    /// <summary>Numbers in little-endian order, and comparisons in constant time.</summary>
    internal static class Bytes
    {
        internal static uint ReadUInt(byte[] data, int offset)
        {
            return (uint)(data[offset] | data[offset + 1] << 8 | data[offset + 2] << 16 | data[offset + 3] << 24);
        }

        internal static void WriteUInt(byte[] data, int offset, uint value)
        {
            data[offset] = (byte)value;
            data[offset + 1] = (byte)(value >> 8);
            data[offset + 2] = (byte)(value >> 16);
            data[offset + 3] = (byte)(value >> 24);
        }

        internal static void WriteULong(byte[] data, int offset, ulong value)
        {
            WriteUInt(data, offset, (uint)value);
            WriteUInt(data, offset + 4, (uint)(value >> 32));
        }

        /// <summary>Compares <paramref name="count"/> bytes. The time does not depend on where they differ.</summary>
        internal static bool AreEqual(byte[] one, int oneOffset, byte[] two, int twoOffset, int count)
        {
            int difference = 0;
            for (int i = 0; i < count; i++)
                difference |= one[oneOffset + i] ^ two[twoOffset + i];
            return difference == 0;
        }

        /// <summary>Returns a copy of a part of an array.</summary>
        internal static byte[] Slice(byte[] data, int offset, int count)
        {
            byte[] slice = new byte[count];
            System.Buffer.BlockCopy(data, offset, slice, 0, count);
            return slice;
        }
    }
}
