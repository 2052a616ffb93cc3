namespace Gamewire
{
    /// <summary>Options of the extension for ordered and large messages. Both peers must use the same
    /// <see cref="Id"/>; each tells the other its limits.</summary>
    public sealed class ExtensionOptions
    {
        /// <summary>The message id that carries the extension, which the game must not use. Default: 65535.</summary>
        public ushort Id = DefaultId;

        /// <summary>Maximum bytes of a message from the peer. Default: 1 MiB.</summary>
        public int MaxMessageSize = 1 << 20;

        /// <summary>Maximum bytes of incomplete messages and of messages that wait for earlier ones, for each peer; each
        /// packet counts 64 bytes more. Default: 2 MiB.</summary>
        public int ReassemblyBuffer = 2 << 20;

        /// <summary>Maximum number of incomplete and waiting messages for each peer, at most 16384. Default: 1024.</summary>
        public ushort MaxPendingMessages = 1024;

        /// <summary>Maximum packets from the oldest unacknowledged one to the newest. Riptide 2.1 and 2.2 handle messages
        /// twice if 32 or more in a row are late, so more is for peers that do not. Default: 30.</summary>
        public int Window = 30;

        /// <summary>Maximum bytes that wait to be sent to a peer. Default: 8 MiB.</summary>
        public int MaxQueuedBytes = 8 << 20;

        internal const ushort DefaultId = 65535;
        internal const int PacketCost = 64;
        private const ushort MaxMessages = 16384;

        internal ushort PendingMessages
        {
            get { return MaxPendingMessages < 1 ? (ushort)1 : MaxPendingMessages > MaxMessages ? MaxMessages : MaxPendingMessages; }
        }
    }
}
