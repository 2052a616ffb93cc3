#if !UNITY_WEBGL || UNITY_EDITOR
using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;
using Riptide;
using Riptide.Transports;
using DataReceivedEventArgs = Riptide.Transports.DataReceivedEventArgs;
using DisconnectedEventArgs = Riptide.Transports.DisconnectedEventArgs;

namespace Gamewire.Encryption
{
    /// <summary>A transport for clients with a key: all packets over UDP are encrypted, and the connection stays when the
    /// client's address changes. Its servers are <see cref="EncryptedUdpServer"/>, and those of gamewire with a key.</summary>
    public class EncryptedUdpClient : IClient
    {
        private const int MaxDatagrams = 4096;
        /// <summary>Milliseconds between two sockets, if the system does not let them send.</summary>
        private const int MinRebindInterval = 500;

        /// <inheritdoc/>
        public event EventHandler Connected;
        /// <inheritdoc/>
        public event EventHandler ConnectionFailed;
        /// <inheritdoc/>
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        /// <summary>Never raised: Riptide's timeout ends connections over UDP.</summary>
        public event EventHandler<DisconnectedEventArgs> Disconnected { add { } remove { } }
        /// <summary>The address of this client has changed, and the server has moved the connection: the new address, as the
        /// server sees it. Messages continue.</summary>
        public event Action<IPEndPoint> AddressChanged;

        private readonly ClientKey key;
        private byte[] datagram;
        private byte[] packet;
        private Task<IPAddress[]> resolving;
        private ushort port;
        private RecordClient records;
        private EncryptedClientConnection connection;
        private UdpSocket socket;
        private IPAddress bindAddress;
        /// <summary>The last packet before the session was open: the connect request.</summary>
        private byte[] waiting;
        private bool mustRebind;
        private long lastRebind;

        /// <summary>Creates a client with the key of its player.</summary>
        public EncryptedUdpClient(ClientKey key)
        {
            if (key == null)
                throw new ArgumentNullException("key");
            this.key = key;
        }

        /// <summary>Why the last connection failed, for the log; null if it is unknown.</summary>
        public string LastError { get; private set; }

        /// <summary>Begins to connect.</summary>
        /// <param name="hostAddress"><c>host:port</c> or <c>udps://host:port</c>; the host is a name or an address, and an
        /// IPv6 address is in brackets.</param>
        /// <param name="connection">The connection.</param>
        /// <param name="connectError">Why the address is invalid.</param>
        /// <returns>Whether the address is valid.</returns>
        public bool Connect(string hostAddress, out Connection connection, out string connectError)
        {
            Disconnect();
            connection = null;
            Uri address;
            bool hasScheme = hostAddress != null && hostAddress.IndexOf("://", StringComparison.Ordinal) >= 0;
            bool isValid = Uri.TryCreate(hasScheme ? hostAddress : "udps://" + hostAddress, UriKind.Absolute, out address)
                && address.Scheme == "udps" && address.Host.Length > 0 && address.Port > 0;
            if (!isValid)
            {
                connectError = "cannot connect to \"" + hostAddress + "\": expected host:port or udps://host:port";
                return false;
            }
            connectError = "";
            LastError = "the server does not answer";
            datagram = new byte[Message.MaxSize + Wire.OverheadBytes + 1];
            packet = new byte[Message.MaxSize];
            port = (ushort)address.Port;
            IPAddress ip;
            if (IPAddress.TryParse(address.DnsSafeHost, out ip))
                Open(new[] { ip });
            else
                resolving = Dns.GetHostAddressesAsync(address.DnsSafeHost);
            connection = this.connection = new EncryptedClientConnection(this, hostAddress);
            return true;
        }

        private void Open(IPAddress[] addresses)
        {
            bool hasV6 = Socket.OSSupportsIPv6
                && Array.Exists(addresses, one => one.AddressFamily == AddressFamily.InterNetworkV6);
            bindAddress = hasV6 ? IPAddress.IPv6Any : IPAddress.Any;
            if (!TryBind())
                return;
            List<IPEndPoint> servers = new List<IPEndPoint>();
            foreach (IPAddress address in addresses)
            {
                if (hasV6 || address.AddressFamily == AddressFamily.InterNetwork)
                    servers.Add(socket.Own(new IPEndPoint(address, port)));
            }
            if (servers.Count == 0)
            {
                LastError = "the server has no address of a supported family";
                return;
            }
            records = new RecordClient(key, servers, SystemRandom.Instance, OnSend, EncryptedUdpServer.Now);
            records.Moved += OnMoved;
        }

        private bool TryBind()
        {
            try
            {
                socket = new UdpSocket(bindAddress, 0);
                return true;
            }
            catch (SocketException error)
            {
                LastError = error.Message;
                return false;
            }
        }

        /// <summary>Opens a new socket for the connection, which then continues from a new port. The client does this itself
        /// when its socket cannot send; a game can call it when the device has another network, or after it slept.</summary>
        public void Rebind()
        {
            mustRebind = false;
            if (socket == null)
                return;
            UdpSocket before = socket;
            lastRebind = EncryptedUdpServer.Now;
            if (TryBind())
                before.Close();
            else
                socket = before;
        }

        private void OnSend(IPEndPoint to, byte[] buffer, int count)
        {
            if (socket != null && !socket.TrySend(to, buffer, count))
                mustRebind = true;
        }

        internal void Send(EncryptedClientConnection from, byte[] buffer, int amount)
        {
            if (!ReferenceEquals(from, connection))
                return;
            if (records != null && records.IsOpen)
                records.Send(buffer, amount);
            else
                waiting = Bytes.Slice(buffer, 0, amount);
        }

        /// <inheritdoc/>
        public void Poll()
        {
            if (resolving != null && resolving.IsCompleted)
                OnResolved();
            RecordClient polled = records;
            if (polled == null)
                return;
            if (mustRebind && EncryptedUdpServer.Now - lastRebind >= MinRebindInterval)
                Rebind();
            int count;
            IPEndPoint from;
            // A handler may disconnect, or connect again.
            for (int i = 0; i < MaxDatagrams && polled == records && socket.TryReceive(datagram, out count, out from); i++)
            {
                if (from == null)
                    continue;
                bool wasOpen = polled.IsOpen;
                Outcome outcome = polled.Handle(EncryptedUdpServer.Now, from, datagram, count);
                if (!wasOpen && polled.IsOpen)
                    OnOpened();
                else if (outcome == Outcome.Packet)
                    OnPacket(count - Wire.OverheadBytes);
            }
            if (polled == records)
                polled.Tick(EncryptedUdpServer.Now);
            if (polled == records && !polled.IsOpen && polled.HasAnswer)
                LastError = "the server answers, but does not accept the key";
        }

        private void OnResolved()
        {
            Task<IPAddress[]> done = resolving;
            resolving = null;
            if (done.Status == TaskStatus.RanToCompletion && done.Result.Length > 0)
            {
                Open(done.Result);
                return;
            }
            LastError = "cannot resolve the server's name";
            connection = null;
            if (ConnectionFailed != null)
                ConnectionFailed(this, EventArgs.Empty);
        }

        private void OnOpened()
        {
            LastError = null;
            if (Connected != null)
                Connected(this, EventArgs.Empty);
            if (waiting != null && records != null)
                records.Send(waiting, waiting.Length);
            waiting = null;
        }

        private void OnPacket(int amount)
        {
            // Riptide 2.2 cannot take a packet of the maximum size if it is a multiple of 8.
            if (amount == 0 || amount > packet.Length || amount == packet.Length && amount % 8 == 0)
                return;
            Buffer.BlockCopy(datagram, Wire.HeaderBytes, packet, 0, amount);
            if (DataReceived != null)
                DataReceived(this, new DataReceivedEventArgs(packet, amount, connection));
        }

        private void OnMoved(IPEndPoint address)
        {
            if (AddressChanged != null)
                AddressChanged(address);
        }

        /// <inheritdoc/>
        public void Disconnect()
        {
            if (socket != null)
                socket.Close();
            socket = null;
            records = null;
            resolving = null;
            connection = null;
            waiting = null;
        }
    }
}
#endif
