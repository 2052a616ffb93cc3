using System;
using System.Collections.Generic;
using Riptide;
using Riptide.Transports;
using ConnectedEventArgs = Riptide.Transports.ConnectedEventArgs;
using DataReceivedEventArgs = Riptide.Transports.DataReceivedEventArgs;
using DisconnectedEventArgs = Riptide.Transports.DisconnectedEventArgs;

namespace Gamewire.Tests
{
    /// <summary>A client and a server in memory, with lost and reordered packets once <see cref="Loss"/> is set.</summary>
    internal sealed class MemoryNetwork
    {
        private readonly Random random;

        internal MemoryNetwork(int seed)
        {
            random = new Random(seed);
            Server = new MemoryServer(this);
            Client = new MemoryClient(this);
        }

        internal double Loss;
        internal readonly MemoryServer Server;
        internal readonly MemoryClient Client;

        internal void Carry(List<byte[]> queue, byte[] data, int amount)
        {
            if (random.NextDouble() < Loss)
                return;
            byte[] copy = new byte[amount];
            Buffer.BlockCopy(data, 0, copy, 0, amount);
            bool isLate = Loss > 0 && queue.Count > 0 && random.Next(4) == 0;
            queue.Insert(isLate ? random.Next(queue.Count) : queue.Count, copy);
        }
    }

    internal sealed class MemoryConnection : Connection
    {
        private readonly MemoryNetwork network;
        private readonly List<byte[]> to;

        internal MemoryConnection(MemoryNetwork network, List<byte[]> to)
        {
            this.network = network;
            this.to = to;
        }

        protected override void Send(byte[] dataBuffer, int amount)
        {
            network.Carry(to, dataBuffer, amount);
        }
    }

    internal sealed class MemoryClient : IClient
    {
        public event EventHandler Connected { add { } remove { } }
        public event EventHandler ConnectionFailed { add { } remove { } }
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        public event EventHandler<DisconnectedEventArgs> Disconnected { add { } remove { } }

        private readonly MemoryNetwork network;
        internal readonly List<byte[]> Incoming = new List<byte[]>();
        private Connection connection;

        internal MemoryClient(MemoryNetwork network)
        {
            this.network = network;
        }

        public bool Connect(string hostAddress, out Connection connection, out string connectError)
        {
            connectError = "";
            connection = this.connection = new MemoryConnection(network, network.Server.Incoming);
            return true;
        }

        public void Poll()
        {
            while (Incoming.Count > 0)
            {
                byte[] packet = Incoming[0];
                Incoming.RemoveAt(0);
                if (DataReceived != null)
                    DataReceived(this, new DataReceivedEventArgs(packet, packet.Length, connection));
            }
        }

        public void Disconnect() { }
    }

    internal sealed class MemoryServer : IServer
    {
        public event EventHandler<ConnectedEventArgs> Connected;
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        public event EventHandler<DisconnectedEventArgs> Disconnected { add { } remove { } }

        private readonly MemoryNetwork network;
        internal readonly List<byte[]> Incoming = new List<byte[]>();
        private Connection connection;

        internal MemoryServer(MemoryNetwork network)
        {
            this.network = network;
        }

        public ushort Port { get { return 1; } }

        public void Start(ushort port) { }

        public void Poll()
        {
            while (Incoming.Count > 0)
            {
                byte[] packet = Incoming[0];
                Incoming.RemoveAt(0);
                bool isConnect = (packet[0] & 15) == (int)MessageHeader.Connect;
                if (isConnect == ((object)connection != null))
                    continue;
                if (isConnect)
                {
                    connection = new MemoryConnection(network, network.Client.Incoming);
                    Connected(this, new ConnectedEventArgs(connection));
                }
                if (!connection.IsNotConnected)
                    DataReceived(this, new DataReceivedEventArgs(packet, packet.Length, connection));
            }
        }

        public void Close(Connection closed) { }

        public void Shutdown() { }
    }
}
