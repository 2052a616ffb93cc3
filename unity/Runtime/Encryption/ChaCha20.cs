namespace Gamewire.Encryption
{
    /// <summary>The stream cipher ChaCha20 (RFC 8439, section 2.4). No branch and no index depends on the key or the
    /// text.</summary>
    internal sealed class ChaCha20
    {
        internal const int KeyBytes = 32;
        internal const int BlockBytes = 64;

        private readonly uint[] input = new uint[16];
        private readonly uint[] output = new uint[16];
        private readonly byte[] stream = new byte[BlockBytes];

        /// <summary>Creates a cipher. A key encrypts each nonce once.</summary>
        internal ChaCha20(byte[] key)
        {
            input[0] = 0x61707865;
            input[1] = 0x3320646e;
            input[2] = 0x79622d32;
            input[3] = 0x6b206574;
            for (int i = 0; i < 8; i++)
                input[4 + i] = Bytes.ReadUInt(key, 4 * i);
        }

        /// <summary>Sets the nonce of 96 bits as three words.</summary>
        internal void SetNonce(uint first, uint second, uint third)
        {
            input[13] = first;
            input[14] = second;
            input[15] = third;
        }

        /// <summary>Returns the key stream of a block. The array is reused.</summary>
        internal byte[] Block(uint counter)
        {
            input[12] = counter;
            uint[] x = output;
            for (int i = 0; i < 16; i++)
                x[i] = input[i];
            for (int round = 0; round < 10; round++)
            {
                Quarter(x, 0, 4, 8, 12);
                Quarter(x, 1, 5, 9, 13);
                Quarter(x, 2, 6, 10, 14);
                Quarter(x, 3, 7, 11, 15);
                Quarter(x, 0, 5, 10, 15);
                Quarter(x, 1, 6, 11, 12);
                Quarter(x, 2, 7, 8, 13);
                Quarter(x, 3, 4, 9, 14);
            }
            for (int i = 0; i < 16; i++)
                Bytes.WriteUInt(stream, 4 * i, unchecked(x[i] + input[i]));
            return stream;
        }

        /// <summary>Encrypts or decrypts in place with the blocks from number 1 on.</summary>
        internal void Apply(byte[] buffer, int offset, int count)
        {
            uint counter = 1;
            for (int done = 0; done < count; done += BlockBytes)
            {
                byte[] key = Block(counter++);
                int amount = count - done < BlockBytes ? count - done : BlockBytes;
                for (int i = 0; i < amount; i++)
                    buffer[offset + done + i] ^= key[i];
            }
        }

        private static void Quarter(uint[] x, int a, int b, int c, int d)
        {
            unchecked
            {
                uint va = x[a], vb = x[b], vc = x[c], vd = x[d];
                va += vb;
                vd ^= va;
                vd = vd << 16 | vd >> 16;
                vc += vd;
                vb ^= vc;
                vb = vb << 12 | vb >> 20;
                va += vb;
                vd ^= va;
                vd = vd << 8 | vd >> 24;
                vc += vd;
                vb ^= vc;
                vb = vb << 7 | vb >> 25;
                x[a] = va;
                x[b] = vb;
                x[c] = vc;
                x[d] = vd;
            }
        }
    }
}
