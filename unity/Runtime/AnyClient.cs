using System;
using Gamewire.Encryption;
using Gamewire.WebSockets;
using Riptide;
using Riptide.Transports;
using DisconnectedEventArgs = Riptide.Transports.DisconnectedEventArgs;

namespace Gamewire
{
    /// <summary>A transport for clients that the address chooses: <c>ws://</c> and <c>wss://</c> are WebSocket,
    /// <c>tcp://host:port</c> is TCP, <c>udps://host:port</c> is encrypted UDP with <see cref="Key"/>, and <c>host:port</c> or
    /// <c>udp://host:port</c> is UDP. Browsers have WebSocket only, so there <c>host:port</c> is <c>ws://host:port</c>.</summary>
    public class AnyClient : IClient
    {
        /// <inheritdoc/>
        public event EventHandler Connected;
        /// <inheritdoc/>
        public event EventHandler ConnectionFailed;
        /// <inheritdoc/>
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        /// <inheritdoc/>
        public event EventHandler<DisconnectedEventArgs> Disconnected;

        private IClient inner;

        /// <summary>The transport of the last address; null before the first one.</summary>
        public IClient Inner { get { return inner; } }

        /// <summary>The key for <c>udps://</c>.</summary>
        public ClientKey Key { get; set; }

        /// <inheritdoc/>
        public bool Connect(string hostAddress, out Connection connection, out string connectError)
        {
            Release();
            if (IsEncrypted(hostAddress) && Key == null)
            {
                connection = null;
                connectError = "cannot connect to \"" + hostAddress + "\": set AnyClient.Key, which udps needs";
                return false;
            }
            string rest;
            inner = Create(hostAddress ?? "", out rest);
            inner.Connected += OnConnected;
            inner.ConnectionFailed += OnConnectionFailed;
            inner.DataReceived += OnDataReceived;
            inner.Disconnected += OnDisconnected;
            return inner.Connect(rest, out connection, out connectError);
        }

        private static bool IsEncrypted(string address)
        {
            return address != null && address.StartsWith("udps://", StringComparison.Ordinal);
        }

        private IClient Create(string address, out string rest)
        {
            rest = address;
#if UNITY_WEBGL && !UNITY_EDITOR
            // Sockets do not exist there: the constructors of the other transports throw.
            return new WebSocketClient();
#else
            if (address.StartsWith("ws://", StringComparison.Ordinal) || address.StartsWith("wss://", StringComparison.Ordinal))
                return new WebSocketClient();
            if (address.StartsWith("tcp://", StringComparison.Ordinal))
            {
                rest = address.Substring(6);
                return new Riptide.Transports.Tcp.TcpClient();
            }
            if (IsEncrypted(address))
                return new EncryptedUdpClient(Key);
            if (address.StartsWith("udp://", StringComparison.Ordinal))
                rest = address.Substring(6);
            return new Riptide.Transports.Udp.UdpClient();
#endif
        }

        /// <inheritdoc/>
        public void Poll()
        {
            if (inner != null)
                inner.Poll();
        }

        /// <inheritdoc/>
        public void Disconnect()
        {
            if (inner != null)
                inner.Disconnect();
        }

        private void Release()
        {
            if (inner == null)
                return;
            inner.Disconnect();
            inner.Connected -= OnConnected;
            inner.ConnectionFailed -= OnConnectionFailed;
            inner.DataReceived -= OnDataReceived;
            inner.Disconnected -= OnDisconnected;
            inner = null;
        }

        private void OnConnected(object sender, EventArgs e)
        {
            if (Connected != null)
                Connected(this, e);
        }

        private void OnConnectionFailed(object sender, EventArgs e)
        {
            if (ConnectionFailed != null)
                ConnectionFailed(this, e);
        }

        private void OnDataReceived(object sender, DataReceivedEventArgs e)
        {
            if (DataReceived != null)
                DataReceived(this, e);
        }

        private void OnDisconnected(object sender, DisconnectedEventArgs e)
        {
            if (Disconnected != null)
                Disconnected(this, e);
        }
    }
}
