using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using Riptide;
using Riptide.Transports;
using ConnectedEventArgs = Riptide.Transports.ConnectedEventArgs;
using DataReceivedEventArgs = Riptide.Transports.DataReceivedEventArgs;
using DisconnectedEventArgs = Riptide.Transports.DisconnectedEventArgs;

namespace Gamewire.WebSockets
{
    /// <summary>A transport for servers whose clients connect over WebSocket: browsers, and all programs with a
    /// <see cref="WebSocketClient"/>. It has no TLS: for wss put a reverse proxy before it.</summary>
    public class WebSocketServer : IServer
    {
        /// <summary>Reads of one connection in one poll, so that a fast sender does not delay the others.</summary>
        internal const int MaxReads = 16;
        private const int MaxAcceptsPerPoll = 64;

        /// <inheritdoc/>
        public event EventHandler<ConnectedEventArgs> Connected;
        /// <inheritdoc/>
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        /// <inheritdoc/>
        public event EventHandler<DisconnectedEventArgs> Disconnected;

        private readonly IPAddress listenAddress;
        private readonly List<WebSocketServerConnection> connections = new List<WebSocketServerConnection>();
        private readonly List<KeyValuePair<WebSocketServerConnection, DisconnectReason>> ended =
            new List<KeyValuePair<WebSocketServerConnection, DisconnectReason>>();
        private readonly byte[] buffer = new byte[4096];
        private Socket listener;

        /// <summary>Creates a server that listens on all addresses.</summary>
        public WebSocketServer() : this(null) { }

        /// <summary>Creates a server that listens on one address, such as the loopback address if a reverse proxy
        /// accepts the players.</summary>
        public WebSocketServer(IPAddress listenAddress)
        {
            this.listenAddress = listenAddress;
            AllowedOrigins = new List<string>();
        }

        /// <summary>Origins of the web pages that may connect, such as <c>https://game.example</c>; <c>*</c> allows all.
        /// Programs send no origin and are always allowed. Empty (the default) allows pages of this machine.</summary>
        public IList<string> AllowedOrigins { get; private set; }

        /// <summary>Maximum connections, with those that have not joined. Default: 1024.</summary>
        public int MaxConnections = 1024;

        /// <summary>Maximum connections that have not joined; the oldest ones give way. Default: 128.</summary>
        public int MaxHalfOpen = 128;

        /// <summary>Milliseconds that a client has for the upgrade and its connect request. Default: 10,000.</summary>
        public int ConnectTimeout = 10000;

        /// <summary>Milliseconds that a closed connection has to receive what was sent. Default: 2,000.</summary>
        public int CloseTimeout = 2000;

        /// <summary>Maximum unsent bytes of a connection. One that exceeds them is closed. Default: 1 MiB.</summary>
        public int MaxUnsentBytes = 1 << 20;

        /// <inheritdoc/>
        public ushort Port { get; private set; }

        /// <summary>Number of open sockets.</summary>
        public int ConnectionCount { get { return connections.Count; } }

        /// <inheritdoc/>
        public void Start(ushort port)
        {
            Shutdown();
            Socket socket = null;
            try
            {
                socket = Bind(port);
                socket.Listen(128);
                socket.Blocking = false;
            }
            catch (SocketException)
            {
                if (socket != null)
                    socket.Close();
                throw;
            }
            listener = socket;
            Port = (ushort)((IPEndPoint)listener.LocalEndPoint).Port;
        }

        private Socket Bind(ushort port)
        {
            if (listenAddress != null)
                return BindTo(listenAddress, port);
            try
            {
                return BindTo(IPAddress.IPv6Any, port);
            }
            catch (SocketException error)
            {
                // A system without IPv6.
                if (error.SocketErrorCode == SocketError.AddressAlreadyInUse)
                    throw;
                return BindTo(IPAddress.Any, port);
            }
        }

        private static Socket BindTo(IPAddress address, ushort port)
        {
            Socket socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                if (address.Equals(IPAddress.IPv6Any))
                    socket.DualMode = true;
                socket.Bind(new IPEndPoint(address, port));
                return socket;
            }
            catch (SocketException)
            {
                socket.Close();
                throw;
            }
        }

        /// <inheritdoc/>
        public void Poll()
        {
            if (listener == null)
                return;
            // Those of the last poll: Riptide handles messages after the poll, and the last ones must come first.
            RaiseEnded();
            if (listener == null)
                return;
            Accept();
            // Handlers may close connections, which leaves the list unchanged until the end.
            for (int i = 0; i < connections.Count && listener != null; i++)
                connections[i].Poll(buffer);
            connections.RemoveAll(IsClosed);
        }

        private static bool IsClosed(WebSocketServerConnection connection)
        {
            return connection.IsClosed;
        }

        private void Accept()
        {
            for (int i = 0; i < MaxAcceptsPerPoll && listener.Poll(0, SelectMode.SelectRead); i++)
            {
                Socket socket = null;
                try
                {
                    socket = listener.Accept();
                    if (connections.Count >= MaxConnections)
                    {
                        socket.Close();
                        continue;
                    }
                    MakeRoom();
                    connections.Add(new WebSocketServerConnection(this, socket));
                }
                catch (SocketException)
                {
                    // The client closed the connection meanwhile, or the process has too many files.
                    if (socket != null)
                        socket.Close();
                    return;
                }
            }
        }

        private void MakeRoom()
        {
            WebSocketServerConnection oldest = null;
            int count = 0;
            foreach (WebSocketServerConnection connection in connections)
            {
                if (!connection.IsHalfOpen)
                    continue;
                oldest = oldest ?? connection;
                count++;
            }
            if (count >= MaxHalfOpen && oldest != null)
                Lose(oldest, DisconnectReason.TimedOut);
        }

        internal void Upgraded(WebSocketServerConnection connection)
        {
            EventHandler<ConnectedEventArgs> handler = Connected;
            if (handler != null)
                handler(this, new ConnectedEventArgs(connection));
        }

        internal void Received(WebSocketServerConnection connection, byte[] data, int amount)
        {
            // Riptide 2.2 cannot take a packet of the maximum size if it is a multiple of 8.
            if (amount == Message.MaxSize && amount % 8 == 0)
                return;
            EventHandler<DataReceivedEventArgs> handler = DataReceived;
            if (handler != null && !connection.IsNotConnected)
                handler(this, new DataReceivedEventArgs(data, amount, connection));
        }

        /// <summary>Closes the socket at once, and reports the end in the next poll.</summary>
        internal void Lose(WebSocketServerConnection connection, DisconnectReason reason)
        {
            connection.CloseNow();
            Ended(connection, reason);
        }

        /// <summary>Notes that a connection ended. Sending can fail inside a call of Riptide, which must not receive
        /// the event then.</summary>
        internal void Ended(WebSocketServerConnection connection, DisconnectReason reason)
        {
            if (connection.IsUpgraded)
                ended.Add(new KeyValuePair<WebSocketServerConnection, DisconnectReason>(connection, reason));
        }

        private void RaiseEnded()
        {
            while (ended.Count > 0)
            {
                KeyValuePair<WebSocketServerConnection, DisconnectReason> one = ended[0];
                ended.RemoveAt(0);
                EventHandler<DisconnectedEventArgs> handler = Disconnected;
                if (handler != null && !one.Key.IsNotConnected)
                    handler(this, new DisconnectedEventArgs(one.Key, one.Value));
            }
        }

        /// <inheritdoc/>
        public void Close(Connection connection)
        {
            WebSocketServerConnection own = connection as WebSocketServerConnection;
            if ((object)own != null)
                own.BeginClosing(1000);
        }

        /// <summary>Closes all connections after what was queued is sent, at most <see cref="CloseTimeout"/>.</summary>
        public void Shutdown()
        {
            if (listener == null)
                return;
            listener.Close();
            listener = null;
            foreach (WebSocketServerConnection connection in connections)
                connection.BeginClosing(1001);
            Stopwatch time = Stopwatch.StartNew();
            while (!connections.TrueForAll(IsClosed) && time.ElapsedMilliseconds < CloseTimeout)
            {
                foreach (WebSocketServerConnection connection in connections)
                    connection.Poll(buffer);
                Thread.Sleep(1);
            }
            foreach (WebSocketServerConnection connection in connections)
                connection.CloseNow();
            connections.Clear();
            ended.Clear();
            Port = 0;
        }
    }
}
