using System;
using Riptide;
using Riptide.Transports;
using DisconnectedEventArgs = Riptide.Transports.DisconnectedEventArgs;

namespace Gamewire.WebSockets
{
    /// <summary>A transport for clients that connects over WebSocket, in browsers too.</summary>
    public class WebSocketClient : IClient
    {
        /// <inheritdoc/>
        public event EventHandler Connected;
        /// <inheritdoc/>
        public event EventHandler ConnectionFailed;
        /// <inheritdoc/>
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        /// <inheritdoc/>
        public event EventHandler<DisconnectedEventArgs> Disconnected;

        private byte[] buffer;
        private ISocket socket;
        private WebSocketClientConnection connection;
        private bool wasOpen;

        /// <summary>Why the last connection failed or ended, for the log; null if it is unknown, as in browsers.</summary>
        public string LastError { get; private set; }

        /// <summary>Begins to connect.</summary>
        /// <param name="hostAddress"><c>ws://host:port/path</c>, <c>wss://host/path</c>, or <c>host:port</c> for ws.</param>
        /// <param name="connection">The connection; it can be used after <see cref="Connected"/>.</param>
        /// <param name="connectError">Why the address is invalid.</param>
        /// <returns>Whether the address is valid.</returns>
        public bool Connect(string hostAddress, out Connection connection, out string connectError)
        {
            Disconnect();
            connection = null;
            Uri address;
            if (!TryParse(hostAddress, out address))
            {
                connectError = "cannot connect to \"" + hostAddress + "\": expected ws://host:port, wss://host:port or host:port";
                return false;
            }
            buffer = new byte[Message.MaxSize];
            wasOpen = false;
            LastError = null;
#if UNITY_WEBGL && !UNITY_EDITOR
            socket = new BrowserSocket(address, buffer.Length);
#else
            socket = new DesktopSocket(address, buffer.Length);
#endif
            this.connection = new WebSocketClientConnection(socket, address.ToString());
            connection = this.connection;
            connectError = "";
            return true;
        }

        private static bool TryParse(string text, out Uri address)
        {
            address = null;
            if (string.IsNullOrEmpty(text))
                return false;
            bool hasScheme = text.IndexOf("://", StringComparison.Ordinal) >= 0;
            return Uri.TryCreate(hasScheme ? text : "ws://" + text, UriKind.Absolute, out address)
                && (address.Scheme == "ws" || address.Scheme == "wss") && address.Host.Length > 0
                && address.Fragment.Length == 0 && address.UserInfo.Length == 0;
        }

        /// <inheritdoc/>
        public void Poll()
        {
            ISocket polled = socket;
            if (polled == null)
                return;
            // Before the messages, so that all messages of a closed socket are handled.
            SocketState state = polled.State;
            if (state == SocketState.Open && !wasOpen)
            {
                wasOpen = true;
                if (Connected != null)
                    Connected(this, EventArgs.Empty);
            }
            int amount;
            bool hasReceived = false;
            // A handler may disconnect, or connect again.
            while (polled == socket && polled.TryReceive(buffer, out amount))
            {
                wasOpen = hasReceived = true;
                // Riptide 2.2 cannot take a packet of the maximum size if it is a multiple of 8.
                if (amount == buffer.Length && amount % 8 == 0)
                    continue;
                if (DataReceived != null)
                    DataReceived(this, new DataReceivedEventArgs(buffer, amount, connection));
            }
            // Riptide handles messages after the poll, and the last one may have the reason of the end.
            if (polled == socket && state == SocketState.Closed && !hasReceived)
                End(polled);
        }

        private void End(ISocket ended)
        {
            WebSocketClientConnection its = connection;
            LastError = ended.Error;
            socket = null;
            connection = null;
            if (!wasOpen)
            {
                if (ConnectionFailed != null)
                    ConnectionFailed(this, EventArgs.Empty);
            }
            else if (Disconnected != null)
                Disconnected(this, new DisconnectedEventArgs(its, DisconnectReason.Disconnected));
        }

        /// <inheritdoc/>
        public void Disconnect()
        {
            if (socket == null)
                return;
            socket.Close();
            socket = null;
            connection = null;
        }
    }
}
