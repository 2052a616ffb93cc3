using System;

namespace Gamewire.Encryption
{
    /// <summary>SHA-256 (FIPS 180-4), HMAC (RFC 2104), and HKDF as Noise defines it. Own code, because stripping may remove
    /// the classes of .NET from a Unity build. No branch and no index depends on the data.</summary>
    internal sealed class Sha256
    {
        internal const int HashBytes = 32;
        private const int BlockBytes = 64;

        /// <summary>The first 32 bits of the fractions of the cube roots of the first 64 primes.</summary>
        private static readonly uint[] Constants =
        {
            0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
            0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
            0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
            0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
            0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
            0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
            0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
            0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
        };

        private readonly uint[] state = new uint[8];
        private readonly uint[] schedule = new uint[64];
        private readonly byte[] block = new byte[BlockBytes];
        private int used;
        private long total;

        internal Sha256()
        {
            uint[] initial =
            {
                0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
            };
            Array.Copy(initial, state, 8);
        }

        /// <summary>Returns the hash of the concatenated parts.</summary>
        internal static byte[] Hash(params byte[][] parts)
        {
            Sha256 hash = new Sha256();
            foreach (byte[] part in parts)
                hash.Update(part, part.Length);
            return hash.Finish();
        }

        /// <summary>Returns the HMAC of the concatenated parts. The key has at most 64 bytes.</summary>
        internal static byte[] Hmac(byte[] key, params byte[][] parts)
        {
            byte[] padded = new byte[BlockBytes];
            Buffer.BlockCopy(key, 0, padded, 0, key.Length);
            Sha256 inner = new Sha256();
            inner.Update(Xor(padded, 0x36), BlockBytes);
            foreach (byte[] part in parts)
                inner.Update(part, part.Length);
            return Hash(Xor(padded, 0x5c), inner.Finish());
        }

        /// <summary>Returns the three outputs of HKDF of Noise, section 4.3.</summary>
        internal static byte[][] Hkdf(byte[] chainingKey, byte[] material)
        {
            byte[] temporary = Hmac(chainingKey, material);
            byte[] first = Hmac(temporary, new byte[] { 1 });
            byte[] second = Hmac(temporary, first, new byte[] { 2 });
            return new[] { first, second, Hmac(temporary, second, new byte[] { 3 }) };
        }

        internal void Update(byte[] data, int count)
        {
            total += count;
            int offset = 0;
            while (count > 0)
            {
                int amount = Math.Min(count, BlockBytes - used);
                Buffer.BlockCopy(data, offset, block, used, amount);
                used += amount;
                offset += amount;
                count -= amount;
                if (used == BlockBytes)
                    Compress();
            }
        }

        internal byte[] Finish()
        {
            ulong bits = (ulong)total * 8;
            block[used++] = 0x80;
            if (used > BlockBytes - 8)
            {
                Array.Clear(block, used, BlockBytes - used);
                Compress();
            }
            Array.Clear(block, used, BlockBytes - used);
            for (int i = 0; i < 8; i++)
                block[BlockBytes - 1 - i] = (byte)(bits >> (8 * i));
            Compress();
            byte[] hash = new byte[HashBytes];
            for (int i = 0; i < HashBytes; i++)
                hash[i] = (byte)(state[i / 4] >> (24 - 8 * (i % 4)));
            return hash;
        }

        private void Compress()
        {
            used = 0;
            uint[] w = schedule;
            for (int i = 0; i < 16; i++)
            {
                int at = 4 * i;
                w[i] = (uint)(block[at] << 24 | block[at + 1] << 16 | block[at + 2] << 8 | block[at + 3]);
            }
            for (int i = 16; i < 64; i++)
            {
                uint before = w[i - 15];
                uint last = w[i - 2];
                uint small0 = Rotate(before, 7) ^ Rotate(before, 18) ^ before >> 3;
                uint small1 = Rotate(last, 17) ^ Rotate(last, 19) ^ last >> 10;
                w[i] = unchecked(w[i - 16] + small0 + w[i - 7] + small1);
            }
            uint a = state[0], b = state[1], c = state[2], d = state[3];
            uint e = state[4], f = state[5], g = state[6], h = state[7];
            for (int i = 0; i < 64; i++)
            {
                unchecked
                {
                    uint large1 = Rotate(e, 6) ^ Rotate(e, 11) ^ Rotate(e, 25);
                    uint first = h + large1 + (e & f ^ ~e & g) + Constants[i] + w[i];
                    uint large0 = Rotate(a, 2) ^ Rotate(a, 13) ^ Rotate(a, 22);
                    uint second = large0 + (a & b ^ a & c ^ b & c);
                    h = g;
                    g = f;
                    f = e;
                    e = d + first;
                    d = c;
                    c = b;
                    b = a;
                    a = first + second;
                }
            }
            unchecked
            {
                state[0] += a;
                state[1] += b;
                state[2] += c;
                state[3] += d;
                state[4] += e;
                state[5] += f;
                state[6] += g;
                state[7] += h;
            }
        }

        private static uint Rotate(uint value, int bits)
        {
            return value >> bits | value << (32 - bits);
        }

        private static byte[] Xor(byte[] data, byte value)
        {
            byte[] result = new byte[data.Length];
            for (int i = 0; i < data.Length; i++)
                result[i] = (byte)(data[i] ^ value);
            return result;
        }
    }
}
