using System;

namespace Gamewire.WebSockets
{
    /// <summary>Operation codes of frames (RFC 6455, section 5.2).</summary>
    internal enum Opcode
    {
        Continuation = 0,
        Text = 1,
        Binary = 2,
        Close = 8,
        Ping = 9,
        Pong = 10,
    }

    /// <summary>The result of <see cref="FrameReader.Read"/>.</summary>
    internal enum FrameResult
    {
        /// <summary>All input was read, and more is needed.</summary>
        None,
        /// <summary>A binary message is in <see cref="FrameReader.Message"/>.</summary>
        Message,
        /// <summary>The payload of a ping is in <see cref="FrameReader.Control"/>.</summary>
        Ping,
        /// <summary>The peer closes the connection.</summary>
        Close,
        /// <summary>A violation of the protocol. <see cref="FrameReader.CloseCode"/> has the code for the peer.</summary>
        Error,
    }

    /// <summary>Decodes the frames of one direction of a WebSocket, in pieces as they arrive. It allocates only in the
    /// constructor: a peer cannot make it hold more than one message of the maximum size.</summary>
    internal sealed class FrameReader
    {
        internal const int MaxControlBytes = 125;
        /// <summary>Maximum frames of one message.</summary>
        private const int MaxFragments = 64;
        /// <summary>Maximum pings, pongs and empty messages between two messages.</summary>
        private const int MaxIdleFrames = 64;

        internal const int ProtocolError = 1002;
        internal const int UnsupportedData = 1003;
        internal const int MessageTooBig = 1009;

        private readonly bool isMasked;
        private readonly byte[] head = new byte[14];
        private int headLength;
        private bool isInPayload;
        private Opcode opcode;
        private bool isFinal;
        private int left;
        private int maskAt;
        private int maskIndex;
        private bool isInMessage;
        private int fragments;
        private int idleFrames;

        /// <param name="maxMessageBytes">Maximum bytes of a message.</param>
        /// <param name="isMasked">Whether frames must have masks, as those of a client; otherwise they must not.</param>
        internal FrameReader(int maxMessageBytes, bool isMasked)
        {
            Message = new byte[maxMessageBytes];
            Control = new byte[MaxControlBytes];
            this.isMasked = isMasked;
        }

        internal byte[] Message { get; }
        internal int MessageLength { get; private set; }
        internal byte[] Control { get; }
        internal int ControlLength { get; private set; }
        internal int CloseCode { get; private set; }

        /// <summary>Reads <paramref name="input"/> from <paramref name="at"/> on, until something is complete or the
        /// input ends.</summary>
        internal FrameResult Read(byte[] input, ref int at, int end)
        {
            while (true)
            {
                if (!isInPayload)
                {
                    FrameResult begun = ReadHead(input, ref at, end);
                    if (begun != FrameResult.None)
                        return begun;
                    if (!isInPayload)
                        return FrameResult.None;
                }
                ReadPayload(input, ref at, end);
                if (left > 0)
                    return FrameResult.None;
                isInPayload = false;
                headLength = 0;
                FrameResult done = EndFrame();
                if (done != FrameResult.None)
                    return done;
            }
        }

        private int LengthBytes
        {
            get
            {
                int length = head[1] & 0x7F;
                return length < 126 ? 0 : length == 126 ? 2 : 8;
            }
        }

        private FrameResult ReadHead(byte[] input, ref int at, int end)
        {
            while (true)
            {
                int size = headLength < 2 ? 2 : 2 + LengthBytes + (isMasked ? 4 : 0);
                if (headLength >= 2 && headLength == size)
                    return BeginFrame();
                if (at == end)
                    return FrameResult.None;
                head[headLength++] = input[at++];
                if (headLength == 2 && !IsHeadValid())
                    return Fail(ProtocolError);
            }
        }

        private bool IsHeadValid()
        {
            opcode = (Opcode)(head[0] & 0x0F);
            isFinal = (head[0] & 0x80) != 0;
            bool hasReserved = (head[0] & 0x70) != 0;
            bool hasMask = (head[1] & 0x80) != 0;
            if (hasReserved || hasMask != isMasked)
                return false;
            switch (opcode)
            {
                case Opcode.Close:
                case Opcode.Ping:
                case Opcode.Pong:
                    return isFinal && (head[1] & 0x7F) <= MaxControlBytes;
                case Opcode.Continuation:
                    return isInMessage;
                case Opcode.Text:
                case Opcode.Binary:
                    return !isInMessage;
                default:
                    return false;
            }
        }

        private FrameResult BeginFrame()
        {
            if (opcode == Opcode.Text)
                return Fail(UnsupportedData);
            ulong length = (ulong)(head[1] & 0x7F);
            int lengthBytes = LengthBytes;
            if (lengthBytes > 0)
            {
                length = 0;
                for (int i = 0; i < lengthBytes; i++)
                    length = length << 8 | head[2 + i];
                // The shortest form is required.
                if (length < (lengthBytes == 2 ? 126UL : 65536UL))
                    return Fail(ProtocolError);
            }
            maskAt = 2 + lengthBytes;
            maskIndex = 0;
            if (opcode >= Opcode.Close)
                ControlLength = 0;
            else if (!BeginDataFrame(length))
                return FrameResult.Error;
            left = (int)length;
            isInPayload = true;
            return FrameResult.None;
        }

        private bool BeginDataFrame(ulong length)
        {
            if (opcode == Opcode.Binary)
            {
                MessageLength = 0;
                fragments = 0;
                isInMessage = true;
            }
            if (++fragments > MaxFragments)
            {
                Fail(ProtocolError);
                return false;
            }
            if (length > (ulong)(Message.Length - MessageLength))
            {
                Fail(MessageTooBig);
                return false;
            }
            return true;
        }

        private void ReadPayload(byte[] input, ref int at, int end)
        {
            int count = Math.Min(left, end - at);
            bool isControl = opcode >= Opcode.Close;
            byte[] into = isControl ? Control : Message;
            int start = isControl ? ControlLength : MessageLength;
            if (isMasked)
            {
                for (int i = 0; i < count; i++)
                    into[start + i] = (byte)(input[at + i] ^ head[maskAt + (maskIndex++ & 3)]);
            }
            else
                Buffer.BlockCopy(input, at, into, start, count);
            if (isControl)
                ControlLength += count;
            else
                MessageLength += count;
            at += count;
            left -= count;
        }

        private FrameResult EndFrame()
        {
            switch (opcode)
            {
                case Opcode.Close:
                    return FrameResult.Close;
                case Opcode.Ping:
                case Opcode.Pong:
                    if (++idleFrames > MaxIdleFrames)
                        return Fail(ProtocolError);
                    return opcode == Opcode.Ping ? FrameResult.Ping : FrameResult.None;
                default:
                    if (!isFinal)
                        return FrameResult.None;
                    isInMessage = false;
                    if (MessageLength > 0)
                    {
                        idleFrames = 0;
                        return FrameResult.Message;
                    }
                    return ++idleFrames > MaxIdleFrames ? Fail(ProtocolError) : FrameResult.None;
            }
        }

        private FrameResult Fail(int code)
        {
            CloseCode = code;
            return FrameResult.Error;
        }
    }
}
