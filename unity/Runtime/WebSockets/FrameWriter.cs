using System;

namespace Gamewire.WebSockets
{
    /// <summary>Unsent bytes of a server's WebSocket, and the frames that are appended to them.</summary>
    internal sealed class FrameWriter
    {
        private readonly int maxBytes;
        private byte[] bytes = new byte[512];
        private int start;
        private int end;

        /// <param name="maxBytes">Maximum unsent bytes.</param>
        internal FrameWriter(int maxBytes)
        {
            this.maxBytes = maxBytes;
        }

        internal byte[] Bytes { get { return bytes; } }
        internal int Start { get { return start; } }
        internal int Length { get { return end - start; } }

        /// <summary>Appends an unmasked frame.</summary>
        /// <returns>false if the frame would exceed the maximum. Nothing is appended then.</returns>
        internal bool AddFrame(Opcode opcode, byte[] payload, int offset, int length)
        {
            int head = length < 126 ? 2 : length < 65536 ? 4 : 10;
            if (!Reserve(head + length))
                return false;
            bytes[end++] = (byte)(0x80 | (int)opcode);
            if (length < 126)
                bytes[end++] = (byte)length;
            else
            {
                bytes[end++] = (byte)(length < 65536 ? 126 : 127);
                for (int shift = length < 65536 ? 8 : 56; shift >= 0; shift -= 8)
                    bytes[end++] = (byte)((ulong)length >> shift);
            }
            Buffer.BlockCopy(payload, offset, bytes, end, length);
            end += length;
            return true;
        }

        /// <summary>Appends a close frame with a code and no text.</summary>
        internal bool AddClose(int code)
        {
            return AddFrame(Opcode.Close, new[] { (byte)(code >> 8), (byte)code }, 0, 2);
        }

        /// <summary>Appends bytes that are not a frame: the answer to an upgrade request.</summary>
        internal bool AddRaw(byte[] data)
        {
            if (!Reserve(data.Length))
                return false;
            Buffer.BlockCopy(data, 0, bytes, end, data.Length);
            end += data.Length;
            return true;
        }

        /// <summary>Removes the first <paramref name="count"/> bytes, because they were sent.</summary>
        internal void Sent(int count)
        {
            start += count;
            if (start == end)
                start = end = 0;
        }

        private bool Reserve(int count)
        {
            if (Length + count > maxBytes)
                return false;
            if (end + count > bytes.Length)
            {
                byte[] into = Length + count > bytes.Length ? new byte[Math.Max(bytes.Length * 2, Length + count)] : bytes;
                Buffer.BlockCopy(bytes, start, into, 0, Length);
                end = Length;
                start = 0;
                bytes = into;
            }
            return true;
        }
    }
}
