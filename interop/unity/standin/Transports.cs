using System;
using System.Net;
using System.Net.Sockets;
using System.Collections.Generic;

namespace Riptide.Transports
{
    public enum MessageHeader : byte
    {
        Unreliable,
        Ack,
        Connect,
        Reject,
        Heartbeat,
        Disconnect,
        Notify,
        Reliable,
        Welcome,
        ClientConnected,
        ClientDisconnected,
    }

    public interface IPeer
    {
        event EventHandler<DataReceivedEventArgs> DataReceived;
        event EventHandler<DisconnectedEventArgs> Disconnected;
        void Poll();
    }

    public interface IClient : IPeer
    {
        event EventHandler Connected;
        event EventHandler ConnectionFailed;
        bool Connect(string hostAddress, out Connection connection, out string connectError);
        void Disconnect();
    }

    public interface IServer : IPeer
    {
        event EventHandler<ConnectedEventArgs> Connected;
        ushort Port { get; }
        void Start(ushort port);
        void Close(Connection connection);
        void Shutdown();
    }

    public class ConnectedEventArgs
    {
        public readonly Connection Connection;
        public ConnectedEventArgs(Connection connection) { Connection = connection; }
    }

    public class DataReceivedEventArgs
    {
        public readonly byte[] DataBuffer;
        public readonly int Amount;
        public readonly Connection FromConnection;

        public DataReceivedEventArgs(byte[] dataBuffer, int amount, Connection fromConnection)
        {
            DataBuffer = dataBuffer;
            Amount = amount;
            FromConnection = fromConnection;
        }
    }

    public class DisconnectedEventArgs
    {
        public readonly Connection Connection;
        public readonly DisconnectReason Reason;

        public DisconnectedEventArgs(Connection connection, DisconnectReason reason)
        {
            Connection = connection;
            Reason = reason;
        }
    }
}

namespace Riptide.Transports.Udp
{
    internal class UdpConnection : Connection
    {
        private readonly Socket socket;
        private readonly EndPoint to;

        internal UdpConnection(Socket socket, EndPoint to)
        {
            this.socket = socket;
            this.to = to;
        }

        protected internal override void Send(byte[] dataBuffer, int amount)
        {
            socket.SendTo(dataBuffer, amount, SocketFlags.None, to);
        }
    }

    public class UdpClient : IClient
    {
        public event EventHandler Connected;
        public event EventHandler ConnectionFailed { add { } remove { } }
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        public event EventHandler<DisconnectedEventArgs> Disconnected { add { } remove { } }

        private readonly byte[] buffer = new byte[Message.MaxSize];
        private Socket socket;
        private UdpConnection connection;

        public bool Connect(string hostAddress, out Connection connection, out string connectError)
        {
            string[] parts = hostAddress.Split(':');
            connectError = "";
            socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            connection = this.connection =
                new UdpConnection(socket, new IPEndPoint(IPAddress.Parse(parts[0]), int.Parse(parts[1])));
            if (Connected != null)
                Connected(this, EventArgs.Empty);
            return true;
        }

        public void Poll()
        {
            while (socket != null && socket.Available > 0)
            {
                EndPoint from = new IPEndPoint(IPAddress.Any, 0);
                int count = socket.ReceiveFrom(buffer, ref from);
                DataReceived(this, new DataReceivedEventArgs(buffer, count, connection));
            }
        }

        public void Disconnect()
        {
            if (socket != null)
                socket.Close();
            socket = null;
        }
    }

    public class UdpServer : IServer
    {
        public event EventHandler<ConnectedEventArgs> Connected;
        public event EventHandler<DataReceivedEventArgs> DataReceived;
        public event EventHandler<DisconnectedEventArgs> Disconnected { add { } remove { } }

        private readonly Dictionary<EndPoint, Connection> connections = new Dictionary<EndPoint, Connection>();
        private readonly byte[] buffer = new byte[Message.MaxSize];
        private Socket socket;

        public ushort Port { get; private set; }

        public void Start(ushort port)
        {
            socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
            Port = (ushort)((IPEndPoint)socket.LocalEndPoint).Port;
        }

        public void Poll()
        {
            while (socket != null && socket.Available > 0)
            {
                EndPoint from = new IPEndPoint(IPAddress.Any, 0);
                int count = socket.ReceiveFrom(buffer, ref from);
                bool isConnect = (buffer[0] & 15) == (int)MessageHeader.Connect;
                Connection connection;
                bool isKnown = connections.TryGetValue(from, out connection);
                if (isConnect && isKnown || !isConnect && !isKnown)
                    continue;
                if (!isKnown)
                {
                    connections[from] = connection = new UdpConnection(socket, from);
                    Connected(this, new ConnectedEventArgs(connection));
                }
                DataReceived(this, new DataReceivedEventArgs(buffer, count, connection));
            }
        }

        public void Close(Connection connection)
        {
            foreach (KeyValuePair<EndPoint, Connection> pair in new List<KeyValuePair<EndPoint, Connection>>(connections))
            {
                if (pair.Value == connection)
                    connections.Remove(pair.Key);
            }
        }

        public void Shutdown()
        {
            socket.Close();
            socket = null;
            connections.Clear();
        }
    }
}

namespace Riptide.Transports.Tcp
{
    /// <summary>Only the type: the tests do not use TCP.</summary>
    public class TcpClient : IClient
    {
        public event EventHandler Connected { add { } remove { } }
        public event EventHandler ConnectionFailed { add { } remove { } }
        public event EventHandler<DataReceivedEventArgs> DataReceived { add { } remove { } }
        public event EventHandler<DisconnectedEventArgs> Disconnected { add { } remove { } }

        public bool Connect(string hostAddress, out Connection connection, out string connectError)
        {
            connection = null;
            connectError = "the stand-in has no TCP";
            return false;
        }

        public void Poll() { }
        public void Disconnect() { }
    }
}
