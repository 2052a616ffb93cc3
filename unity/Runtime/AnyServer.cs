#if !UNITY_WEBGL || UNITY_EDITOR
using System;
using System.Collections.Generic;
using Gamewire.WebSockets;
using Riptide;
using Riptide.Transports;
using ConnectedEventArgs = Riptide.Transports.ConnectedEventArgs;
using DisconnectedEventArgs = Riptide.Transports.DisconnectedEventArgs;

namespace Gamewire
{
    /// <summary>A transport for servers with several transports: players over UDP and players in browsers share one
    /// <see cref="Server"/>.</summary>
    public class AnyServer : IServer
    {
        /// <inheritdoc/>
        public event EventHandler<ConnectedEventArgs> Connected;
        /// <inheritdoc/>
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        /// <inheritdoc/>
        public event EventHandler<DisconnectedEventArgs> Disconnected;

        private readonly List<KeyValuePair<IServer, ushort?>> transports = new List<KeyValuePair<IServer, ushort?>>();

        /// <summary>Creates a server for UDP on the port that <see cref="Server.Start"/> is given, and for WebSocket on a
        /// TCP port.</summary>
        public AnyServer(ushort webSocketPort)
        {
            WebSockets = new WebSocketServer();
            Add(new Riptide.Transports.Udp.UdpServer(), null);
            Add(WebSockets, webSocketPort);
        }

        /// <summary>Creates a server without transports. <see cref="Add"/> adds them.</summary>
        public AnyServer() { }

        /// <summary>The WebSocket server of <see cref="AnyServer(ushort)"/>, for its options; otherwise null.</summary>
        public WebSocketServer WebSockets { get; private set; }

        /// <summary>Adds a transport before the server starts.</summary>
        /// <param name="transport">The transport.</param>
        /// <param name="port">Its port; null for the port that <see cref="Server.Start"/> is given.</param>
        public void Add(IServer transport, ushort? port)
        {
            transports.Add(new KeyValuePair<IServer, ushort?>(transport, port));
            transport.Connected += OnConnected;
            transport.DataReceived += OnDataReceived;
            transport.Disconnected += OnDisconnected;
        }

        /// <summary>The port of the first transport.</summary>
        public ushort Port { get { return transports.Count > 0 ? transports[0].Key.Port : (ushort)0; } }

        /// <inheritdoc/>
        public void Start(ushort port)
        {
            int started = 0;
            try
            {
                for (; started < transports.Count; started++)
                    transports[started].Key.Start(transports[started].Value ?? port);
            }
            catch
            {
                // The others would keep their ports.
                while (started-- > 0)
                    transports[started].Key.Shutdown();
                throw;
            }
        }

        /// <inheritdoc/>
        public void Poll()
        {
            for (int i = 0; i < transports.Count; i++)
                transports[i].Key.Poll();
        }

        /// <inheritdoc/>
        public void Close(Connection connection)
        {
            // Each transport ignores the connections of the others.
            for (int i = 0; i < transports.Count; i++)
                transports[i].Key.Close(connection);
        }

        /// <inheritdoc/>
        public void Shutdown()
        {
            for (int i = 0; i < transports.Count; i++)
                transports[i].Key.Shutdown();
        }

        private void OnConnected(object sender, ConnectedEventArgs e)
        {
            if (Connected != null)
                Connected(this, e);
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
#endif
