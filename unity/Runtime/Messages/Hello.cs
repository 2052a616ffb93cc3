namespace Gamewire.Messages
{
    /// <summary>The parameters that each side sends once.</summary>
    internal struct Hello
    {
        internal const int Length = 17;
        private const byte Version = 1;
        private static readonly byte[] Magic = { (byte)'g', (byte)'w', (byte)'x', (byte)'1' };

        internal bool CanOrder;
        internal bool CanReassemble;
        internal uint MaxMessageSize;
        internal uint ReassemblyBuffer;
        internal ushort MaxPendingMessages;

        internal static byte[] Encode(bool isServer, ExtensionOptions options)
        {
            byte[] bytes = new byte[Length];
            bytes[0] = (byte)(isServer ? 1 : 0);
            Magic.CopyTo(bytes, 1);
            bytes[5] = Version;
            bytes[6] = 3;
            Little.Put(bytes, 7, (uint)options.MaxMessageSize, 4);
            Little.Put(bytes, 11, (uint)options.ReassemblyBuffer, 4);
            Little.Put(bytes, 15, options.PendingMessages, 2);
            return bytes;
        }

        /// <summary>Decodes the parameters of a server or client. Returns false for other bytes. Later versions may
        /// append fields.</summary>
        internal static bool TryDecode(byte[] bytes, int length, bool isServer, out Hello hello)
        {
            hello = new Hello();
            if (length < Length || bytes[0] != (isServer ? 1 : 0) || bytes[5] < Version)
                return false;
            for (int i = 0; i < Magic.Length; i++)
            {
                if (bytes[1 + i] != Magic[i])
                    return false;
            }
            hello.CanOrder = (bytes[6] & 1) != 0;
            hello.CanReassemble = (bytes[6] & 2) != 0;
            hello.MaxMessageSize = Little.UInt(bytes, 7);
            hello.ReassemblyBuffer = Little.UInt(bytes, 11);
            hello.MaxPendingMessages = Little.UShort(bytes, 15);
            return true;
        }
    }
}
