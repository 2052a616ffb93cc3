namespace Gamewire.Encryption
{
    /// <summary>The authenticator Poly1305 (RFC 8439, section 2.5) for messages of whole blocks, which is all that the AEAD
    /// needs. The numbers have five digits of 26 bits. No branch and no index depends on the key or the message.</summary>
    internal sealed class Poly1305
    {
        internal const int TagBytes = 16;
        private const uint Mask = 0x3ffffff;

        private readonly byte[] last = new byte[TagBytes];
        private uint r0, r1, r2, r3, r4;
        private uint h0, h1, h2, h3, h4;
        private uint pad0, pad1, pad2, pad3;

        /// <summary>Begins a message with a key of 32 bytes, which is used once.</summary>
        internal void Begin(byte[] key)
        {
            r0 = Bytes.ReadUInt(key, 0) & 0x3ffffff;
            r1 = Bytes.ReadUInt(key, 3) >> 2 & 0x3ffff03;
            r2 = Bytes.ReadUInt(key, 6) >> 4 & 0x3ffc0ff;
            r3 = Bytes.ReadUInt(key, 9) >> 6 & 0x3f03fff;
            r4 = Bytes.ReadUInt(key, 12) >> 8 & 0x00fffff;
            h0 = h1 = h2 = h3 = h4 = 0;
            pad0 = Bytes.ReadUInt(key, 16);
            pad1 = Bytes.ReadUInt(key, 20);
            pad2 = Bytes.ReadUInt(key, 24);
            pad3 = Bytes.ReadUInt(key, 28);
        }

        /// <summary>Adds data, and zeros up to a whole block.</summary>
        internal void AddPadded(byte[] data, int offset, int count)
        {
            int end = offset + count;
            for (; end - offset >= TagBytes; offset += TagBytes)
                AddBlock(data, offset);
            if (offset == end)
                return;
            System.Array.Clear(last, 0, TagBytes);
            System.Buffer.BlockCopy(data, offset, last, 0, end - offset);
            AddBlock(last, 0);
        }

        /// <summary>Adds the block with both lengths, which ends the message of the AEAD.</summary>
        internal void AddLengths(int associated, int text)
        {
            Bytes.WriteULong(last, 0, (ulong)associated);
            Bytes.WriteULong(last, 8, (ulong)text);
            AddBlock(last, 0);
        }

        private void AddBlock(byte[] data, int offset)
        {
            unchecked
            {
                ulong a0 = h0 + (Bytes.ReadUInt(data, offset) & Mask);
                ulong a1 = h1 + (Bytes.ReadUInt(data, offset + 3) >> 2 & Mask);
                ulong a2 = h2 + (Bytes.ReadUInt(data, offset + 6) >> 4 & Mask);
                ulong a3 = h3 + (Bytes.ReadUInt(data, offset + 9) >> 6);
                ulong a4 = h4 + (Bytes.ReadUInt(data, offset + 12) >> 8 | 1u << 24);
                // 2^130 is 5 modulo the prime.
                ulong s1 = r1 * 5, s2 = r2 * 5, s3 = r3 * 5, s4 = r4 * 5;
                ulong d0 = a0 * r0 + a1 * s4 + a2 * s3 + a3 * s2 + a4 * s1;
                ulong d1 = a0 * r1 + a1 * r0 + a2 * s4 + a3 * s3 + a4 * s2;
                ulong d2 = a0 * r2 + a1 * r1 + a2 * r0 + a3 * s4 + a4 * s3;
                ulong d3 = a0 * r3 + a1 * r2 + a2 * r1 + a3 * r0 + a4 * s4;
                ulong d4 = a0 * r4 + a1 * r3 + a2 * r2 + a3 * r1 + a4 * r0;
                d1 += d0 >> 26;
                d2 += d1 >> 26;
                d3 += d2 >> 26;
                d4 += d3 >> 26;
                ulong low = (d0 & Mask) + (d4 >> 26) * 5;
                h0 = (uint)low & Mask;
                h1 = (uint)((d1 & Mask) + (low >> 26));
                h2 = (uint)d2 & Mask;
                h3 = (uint)d3 & Mask;
                h4 = (uint)d4 & Mask;
            }
        }

        /// <summary>Writes the tag of the message.</summary>
        internal void Finish(byte[] tag, int offset)
        {
            unchecked
            {
                for (int pass = 0; pass < 2; pass++)
                {
                    h2 += h1 >> 26;
                    h1 &= Mask;
                    h3 += h2 >> 26;
                    h2 &= Mask;
                    h4 += h3 >> 26;
                    h3 &= Mask;
                    h0 += (h4 >> 26) * 5;
                    h4 &= Mask;
                    h1 += h0 >> 26;
                    h0 &= Mask;
                }
                // h - p; it is the result if it is not negative.
                uint g0 = h0 + 5;
                uint g1 = h1 + (g0 >> 26);
                uint g2 = h2 + (g1 >> 26);
                uint g3 = h3 + (g2 >> 26);
                uint g4 = h4 + (g3 >> 26) - (1u << 26);
                uint isReduced = (g4 >> 31) - 1;
                uint isSame = ~isReduced;
                h0 = h0 & isSame | g0 & Mask & isReduced;
                h1 = h1 & isSame | g1 & Mask & isReduced;
                h2 = h2 & isSame | g2 & Mask & isReduced;
                h3 = h3 & isSame | g3 & Mask & isReduced;
                h4 = h4 & isSame | g4 & Mask & isReduced;
                ulong sum = (ulong)(h0 | h1 << 26) + pad0;
                Bytes.WriteUInt(tag, offset, (uint)sum);
                sum = (ulong)(h1 >> 6 | h2 << 20) + pad1 + (sum >> 32);
                Bytes.WriteUInt(tag, offset + 4, (uint)sum);
                sum = (ulong)(h2 >> 12 | h3 << 14) + pad2 + (sum >> 32);
                Bytes.WriteUInt(tag, offset + 8, (uint)sum);
                sum = (ulong)(h3 >> 18 | h4 << 8) + pad3 + (sum >> 32);
                Bytes.WriteUInt(tag, offset + 12, (uint)sum);
            }
        }
    }
}
