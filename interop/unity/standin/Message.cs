// A stand-in with the public interface of Riptide that the package and its tests use, so that they compile and run without
// Riptide. Written from the protocol's description in docs/protocols/riptide.md.

using System;
using System.Text;

namespace Riptide
{
    using Transports;

    public enum MessageSendMode : byte
    {
        Notify = MessageHeader.Notify,
        Unreliable = MessageHeader.Unreliable,
        Reliable = MessageHeader.Reliable,
    }

    public class InsufficientCapacityException : Exception { }

    public interface IMessageSerializable
    {
        void Serialize(Message message);
        void Deserialize(Message message);
    }

    /// <summary>Bits in a buffer, the first one in the lowest bit of the first byte.</summary>
    public class Message
    {
        internal const int HeaderBits = 4;
        internal const int ReliableHeaderBits = 20;
        private const int NotifyHeaderBits = 44;

        private readonly byte[] data = new byte[MaxSize];
        private int readBit;
        private int writeBit;

        static Message()
        {
            MaxSize = 1231;
        }

        public static int MaxSize { get; private set; }
        public static int MaxPayloadSize { get { return MaxSize - 6; } set { MaxSize = value + 6; } }

        public MessageSendMode SendMode { get; private set; }
        public int ReadBits { get { return readBit; } }
        public int UnreadBits { get { return writeBit - readBit; } }
        public int WrittenBits { get { return writeBit; } }
        public int UnwrittenBits { get { return MaxSize * 8 - writeBit; } }
        public int BytesInUse { get { return (writeBit + 7) / 8; } }
        internal byte[] Data { get { return data; } }
        internal MessageHeader Header { get { return (MessageHeader)(data[0] & 15); } }

        public static Message Create() { return new Message(); }

        public static Message Create(MessageSendMode mode) { return Create((MessageHeader)mode); }

        public static Message Create(MessageSendMode mode, ushort id)
        {
            return Create((MessageHeader)mode).AddVarULong(id);
        }

        internal static Message Create(MessageHeader header)
        {
            Message message = new Message();
            message.SetHeader((byte)header);
            message.data[0] = (byte)header;
            return message;
        }

        internal static Message Received(byte[] bytes, int amount)
        {
            Message message = new Message();
            Buffer.BlockCopy(bytes, 0, message.data, 0, amount);
            message.SetHeader((byte)(bytes[0] & 15));
            message.writeBit = amount * 8;
            return message;
        }

        private void SetHeader(byte header)
        {
            bool isReliable = header >= (byte)MessageHeader.Reliable;
            bool isNotify = header == (byte)MessageHeader.Notify;
            SendMode = isNotify ? MessageSendMode.Notify : isReliable ? MessageSendMode.Reliable : MessageSendMode.Unreliable;
            readBit = writeBit = isNotify ? NotifyHeaderBits : isReliable ? ReliableHeaderBits : HeaderBits;
        }

        public void Release() { }

        public Message SetBits(ulong bitfield, int amount, int startBit)
        {
            for (int i = 0; i < amount; i++)
            {
                int at = startBit + i;
                int mask = 1 << (at & 7);
                data[at / 8] = (byte)((bitfield >> i & 1) != 0 ? data[at / 8] | mask : data[at / 8] & ~mask);
            }
            return this;
        }

        public Message PeekBits(int amount, int startBit, out ulong bitfield)
        {
            bitfield = 0;
            for (int i = 0; i < amount; i++)
            {
                int at = startBit + i;
                if (at < MaxSize * 8)
                    bitfield |= (ulong)(data[at / 8] >> (at & 7) & 1) << i;
            }
            return this;
        }

        public Message PeekBits(int amount, int startBit, out byte bitfield)
        {
            ulong bits;
            PeekBits(amount, startBit, out bits);
            bitfield = (byte)bits;
            return this;
        }

        public Message AddBits(ulong bitfield, int amount)
        {
            if (UnwrittenBits < amount)
                throw new InsufficientCapacityException();
            SetBits(bitfield, amount, writeBit);
            writeBit += amount;
            return this;
        }

        public Message AddBits(byte bitfield, int amount) { return AddBits((ulong)bitfield, amount); }
        public Message AddBits(ushort bitfield, int amount) { return AddBits((ulong)bitfield, amount); }
        public Message AddBits(uint bitfield, int amount) { return AddBits((ulong)bitfield, amount); }

        public Message GetBits(int amount, out ulong bitfield)
        {
            bitfield = 0;
            if (UnreadBits >= amount)
                PeekBits(amount, readBit, out bitfield);
            readBit += Math.Min(amount, UnreadBits);
            return this;
        }

        public Message GetBits(int amount, out byte bitfield)
        {
            bitfield = (byte)Get(amount);
            return this;
        }

        public Message GetBits(int amount, out ushort bitfield)
        {
            bitfield = (ushort)Get(amount);
            return this;
        }

        public Message GetBits(int amount, out uint bitfield)
        {
            bitfield = (uint)Get(amount);
            return this;
        }

        private ulong Get(int amount)
        {
            ulong bits;
            GetBits(amount, out bits);
            return bits;
        }

        public Message AddVarULong(ulong value)
        {
            for (; value >= 128; value >>= 7)
                AddBits(value & 127 | 128, 8);
            return AddBits(value, 8);
        }

        public ulong GetVarULong()
        {
            ulong value = 0;
            for (int shift = 0; shift < 64; shift += 7)
            {
                ulong next = Get(8);
                value |= (next & 127) << shift;
                if (next < 128)
                    break;
            }
            return value;
        }

        public Message AddVarLong(long value) { return AddVarULong((ulong)(value << 1 ^ value >> 63)); }

        public long GetVarLong()
        {
            ulong value = GetVarULong();
            return (long)(value >> 1) ^ -(long)(value & 1);
        }

        public Message AddBool(bool value) { return AddBits(value ? 1UL : 0, 1); }
        public bool GetBool() { return Get(1) != 0; }
        public Message AddByte(byte value) { return AddBits((ulong)value, 8); }
        public byte GetByte() { return (byte)Get(8); }
        public Message AddSByte(sbyte value) { return AddBits((ulong)(byte)value, 8); }
        public sbyte GetSByte() { return (sbyte)Get(8); }
        public Message AddShort(short value) { return AddBits((ulong)(ushort)value, 16); }
        public short GetShort() { return (short)Get(16); }
        public Message AddUShort(ushort value) { return AddBits((ulong)value, 16); }
        public ushort GetUShort() { return (ushort)Get(16); }
        public Message AddInt(int value) { return AddBits((ulong)(uint)value, 32); }
        public int GetInt() { return (int)Get(32); }
        public Message AddUInt(uint value) { return AddBits((ulong)value, 32); }
        public uint GetUInt() { return (uint)Get(32); }
        public Message AddLong(long value) { return AddULong((ulong)value); }
        public long GetLong() { return (long)GetULong(); }
        public Message AddULong(ulong value) { return AddBits(value & uint.MaxValue, 32).AddBits(value >> 32, 32); }
        public ulong GetULong() { return Get(32) | Get(32) << 32; }
        public Message AddDouble(double value) { return AddLong(BitConverter.DoubleToInt64Bits(value)); }
        public double GetDouble() { return BitConverter.Int64BitsToDouble(GetLong()); }
        public Message AddFloat(float value) { return AddUInt(BitConverter.ToUInt32(BitConverter.GetBytes(value), 0)); }
        public float GetFloat() { return BitConverter.ToSingle(BitConverter.GetBytes(GetUInt()), 0); }

        public Message AddBytes(byte[] array, bool includeLength = true)
        {
            if (includeLength)
                AddVarULong((ulong)array.Length);
            foreach (byte one in array)
                AddByte(one);
            return this;
        }

        public byte[] GetBytes() { return GetBytes((int)GetVarULong()); }

        public byte[] GetBytes(int amount)
        {
            byte[] bytes = new byte[Math.Min(amount, MaxSize)];
            for (int i = 0; i < bytes.Length; i++)
                bytes[i] = GetByte();
            return bytes;
        }

        public Message AddString(string value) { return AddBytes(Encoding.UTF8.GetBytes(value)); }
        public string GetString() { return Encoding.UTF8.GetString(GetBytes()); }

        public Message AddMessage(Message message)
        {
            while (message.UnreadBits > 0)
                AddBits(message.Get(1), 1);
            return this;
        }
    }
}
