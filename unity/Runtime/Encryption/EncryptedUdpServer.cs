#if !UNITY_WEBGL || UNITY_EDITOR
using System;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Riptide;
using Riptide.Transports;
using ConnectedEventArgs = Riptide.Transports.ConnectedEventArgs;
using DataReceivedEventArgs = Riptide.Transports.DataReceivedEventArgs;
using DisconnectedEventArgs = Riptide.Transports.DisconnectedEventArgs;

namespace Gamewire.Encryption
{
    /// <summary>A transport for servers whose clients have a key: all packets over UDP are encrypted, and a client keeps its
    /// connection when its address changes. Its clients are <see cref="EncryptedUdpClient"/> and those of gamewire for
    /// <c>riptide-2.1+udps://</c>.</summary>
    public class EncryptedUdpServer : IServer
    {
        /// <summary>Datagrams of one poll, so that a flood does not stop the game.</summary>
        private const int MaxDatagrams = 4096;

        /// <inheritdoc/>
        public event EventHandler<ConnectedEventArgs> Connected;
        /// <inheritdoc/>
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        /// <inheritdoc/>
        public event EventHandler<DisconnectedEventArgs> Disconnected;
        /// <summary>A client's address has changed: the connection, and the address before. Messages continue.</summary>
        public event Action<EncryptedConnection, IPEndPoint> AddressChanged;

        private readonly ServerKey key;
        private readonly IPAddress listenAddress;
        private byte[] datagram;
        private byte[] packet;
        private RecordServer records;
        private UdpSocket socket;

        /// <summary>Creates a server that listens on all addresses.</summary>
        public EncryptedUdpServer(ServerKey key) : this(key, null) { }

        /// <summary>Creates a server that listens on one address.</summary>
        public EncryptedUdpServer(ServerKey key, IPAddress listenAddress)
        {
            if (key == null)
                throw new ArgumentNullException("key");
            this.key = key;
            this.listenAddress = listenAddress;
            Stats = new EncryptionStats();
        }

        /// <summary>Maximum sessions, including handshakes. Set it before the server starts. Default: 1024.</summary>
        public int MaxSessions = 1024;

        /// <summary>Maximum sessions of one token. A further one closes the one that is silent for the longest time. It does
        /// not limit the empty token, which all clients with the server's key have. Default: 8.</summary>
        public int MaxSessionsPerToken = 8;

        /// <summary>Milliseconds without a record after which a session is closed. Default: 60,000.</summary>
        public int IdleTimeout = 60000;

        /// <summary>The counters since the last start.</summary>
        public EncryptionStats Stats { get; private set; }

        /// <inheritdoc/>
        public ushort Port { get; private set; }

        /// <summary>Number of sessions, including handshakes.</summary>
        public int SessionCount { get { return records == null ? 0 : records.SessionCount; } }

        /// <inheritdoc/>
        public void Start(ushort port)
        {
            Shutdown();
            socket = Bind(port);
            Port = socket.Port;
            // A byte more, so that datagrams that are too long are seen.
            datagram = new byte[Message.MaxSize + Wire.OverheadBytes + 1];
            packet = new byte[Message.MaxSize];
            records = new RecordServer(key, SystemRandom.Instance, OnSend)
            {
                MaxSessions = MaxSessions,
                MaxSessionsPerToken = MaxSessionsPerToken,
                IdleTimeout = IdleTimeout,
            };
            Stats = records.Stats;
            records.Moved += OnMoved;
            records.Closed += OnClosed;
        }

        private UdpSocket Bind(ushort port)
        {
            if (listenAddress != null)
                return new UdpSocket(listenAddress, port);
            try
            {
                return new UdpSocket(IPAddress.IPv6Any, port);
            }
            catch (SocketException error)
            {
                // A system without IPv6.
                if (error.SocketErrorCode == SocketError.AddressAlreadyInUse)
                    throw;
                return new UdpSocket(IPAddress.Any, port);
            }
        }

        internal static long Now { get { return Stopwatch.GetTimestamp() / (Stopwatch.Frequency / 1000); } }

        private void OnSend(IPEndPoint to, byte[] buffer, int count)
        {
            if (socket != null)
                socket.TrySend(to, buffer, count);
        }

        /// <inheritdoc/>
        public void Poll()
        {
            UdpSocket polled = socket;
            int count;
            IPEndPoint from;
            // A handler may stop the server, or start it again.
            for (int i = 0; i < MaxDatagrams && polled != null && polled == socket; i++)
            {
                if (!polled.TryReceive(datagram, out count, out from))
                    break;
                if (from == null)
                    continue;
                RecordSession session;
                if (records.Handle(Now, from, datagram, count, out session) == Outcome.Packet)
                    OnPacket(session, count - Wire.OverheadBytes);
            }
            if (polled != null && polled == socket)
                records.Tick(Now);
        }

        private void OnPacket(RecordSession session, int amount)
        {
            // Riptide 2.2 cannot take a packet of the maximum size if it is a multiple of 8.
            if (amount == 0 || amount > packet.Length || amount == packet.Length && amount % 8 == 0)
                return;
            Buffer.BlockCopy(datagram, Wire.HeaderBytes, packet, 0, amount);
            bool isConnect = (packet[0] & 15) == (int)MessageHeader.Connect;
            EncryptedConnection connection = session.Connection;
            // The first packet of a connection is its connect request, which its client repeats.
            if (isConnect == (connection != null))
                return;
            if (connection == null)
            {
                connection = session.Connection = new EncryptedConnection(records, session);
                if (Connected != null)
                    Connected(this, new ConnectedEventArgs(connection));
            }
            if (!session.IsClosed && DataReceived != null)
                DataReceived(this, new DataReceivedEventArgs(packet, amount, connection));
        }

        private void OnMoved(RecordSession session, IPEndPoint before)
        {
            if ((object)session.Connection != null && AddressChanged != null)
                AddressChanged(session.Connection, new IPEndPoint(Wire.Canonical(before.Address), before.Port));
        }

        private void OnClosed(RecordSession session)
        {
            if ((object)session.Connection != null && Disconnected != null)
                Disconnected(this, new DisconnectedEventArgs(session.Connection, DisconnectReason.TimedOut));
        }

        /// <inheritdoc/>
        public void Close(Connection connection)
        {
            EncryptedConnection own = connection as EncryptedConnection;
            if ((object)own != null && records != null)
                records.Close(own.Session);
        }

        /// <inheritdoc/>
        public void Shutdown()
        {
            if (socket == null)
                return;
            socket.Close();
            socket = null;
            records = null;
            Port = 0;
        }
    }
}
#endif
