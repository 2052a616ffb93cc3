using Riptide;

namespace Gamewire.WebSockets
{
    /// <summary>The connection of a <see cref="WebSocketClient"/> to its server.</summary>
    public sealed class WebSocketClientConnection : Connection
    {
        private readonly ISocket socket;
        private readonly string address;

        internal WebSocketClientConnection(ISocket socket, string address)
        {
            this.socket = socket;
            this.address = address;
            // TCP resends lost segments, so missing acks mean a stall, such as a hidden browser tab.
            CanQualityDisconnect = false;
        }

        /// <summary>Queues a packet as a binary message.</summary>
        protected override void Send(byte[] dataBuffer, int amount)
        {
            socket.Send(dataBuffer, amount);
        }

        /// <summary>Returns the address of the server.</summary>
        public override string ToString()
        {
            return address;
        }
    }
}
