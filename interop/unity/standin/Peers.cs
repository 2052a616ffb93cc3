using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Riptide
{
    using Transports;
    using Utils;

    public enum RejectReason : byte { NoConnection, AlreadyConnected, ServerFull, Rejected, Custom }

    public enum DisconnectReason : byte
    {
        NeverConnected,
        ConnectionRejected,
        TransportError,
        TimedOut,
        Kicked,
        ServerStopped,
        Disconnected,
        PoorConnection,
    }

    public class MessageReceivedEventArgs : EventArgs
    {
        public readonly Connection FromConnection;
        public readonly ushort MessageId;
        public readonly Message Message;

        public MessageReceivedEventArgs(Connection fromConnection, ushort messageId, Message message)
        {
            FromConnection = fromConnection;
            MessageId = messageId;
            Message = message;
        }
    }

    public class DisconnectedEventArgs : EventArgs
    {
        public readonly DisconnectReason Reason;
        public DisconnectedEventArgs(DisconnectReason reason) { Reason = reason; }
    }

    public class ConnectionFailedEventArgs : EventArgs
    {
        public readonly RejectReason Reason;
        public readonly Message Message;

        public ConnectionFailedEventArgs(RejectReason reason, Message message = null)
        {
            Reason = reason;
            Message = message;
        }
    }

    public class ServerConnectedEventArgs : EventArgs
    {
        public readonly Connection Client;
        public ServerConnectedEventArgs(Connection client) { Client = client; }
    }

    public class ServerDisconnectedEventArgs : EventArgs
    {
        public readonly Connection Client;
        public readonly DisconnectReason Reason;

        public ServerDisconnectedEventArgs(Connection client, DisconnectReason reason)
        {
            Client = client;
            Reason = reason;
        }
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class MessageHandlerAttribute : Attribute
    {
        public readonly ushort MessageId;
        public readonly byte GroupId;

        public MessageHandlerAttribute(ushort messageId, byte groupId = 0)
        {
            MessageId = messageId;
            GroupId = groupId;
        }
    }

    /// <summary>What clients and servers share.</summary>
    public abstract class Peer
    {
        private readonly Queue<KeyValuePair<Connection, Message>> waiting = new Queue<KeyValuePair<Connection, Message>>();

        protected void HandleData(object sender, DataReceivedEventArgs e)
        {
            Message message = Message.Received(e.DataBuffer, e.Amount);
            ulong sequenceId;
            message.PeekBits(16, Message.HeaderBits, out sequenceId);
            if (message.SendMode == MessageSendMode.Reliable && !e.FromConnection.Accept((ushort)sequenceId))
                return;
            waiting.Enqueue(new KeyValuePair<Connection, Message>(e.FromConnection, message));
        }

        protected void HandleMessages()
        {
            while (waiting.Count > 0)
            {
                KeyValuePair<Connection, Message> next = waiting.Dequeue();
                if (next.Value.Header == MessageHeader.Ack)
                    next.Key.HandleAck(next.Value);
                else
                    Handle(next.Key, next.Value);
            }
        }

        protected abstract void Handle(Connection connection, Message message);

        protected static Dictionary<ushort, MethodInfo> FindHandlers(int parameters, byte group)
        {
            Dictionary<ushort, MethodInfo> found = new Dictionary<ushort, MethodInfo>();
            const BindingFlags Flags = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;
            string own = typeof(Peer).Assembly.GetName().FullName;
            IEnumerable<Assembly> users = AppDomain.CurrentDomain.GetAssemblies()
                .Where(it => it.GetReferencedAssemblies().Any(name => name.FullName == own));
            foreach (MethodInfo method in users.SelectMany(it => it.GetTypes()).SelectMany(it => it.GetMethods(Flags)))
            {
                MessageHandlerAttribute attribute = method.GetCustomAttribute<MessageHandlerAttribute>();
                if (attribute != null && attribute.GroupId == group && method.GetParameters().Length == parameters)
                    found.Add(attribute.MessageId, method);
            }
            return found;
        }
    }

    public class Client : Peer
    {
        public event EventHandler Connected;
        public event EventHandler<ConnectionFailedEventArgs> ConnectionFailed;
        public event EventHandler<MessageReceivedEventArgs> MessageReceived;
        public event EventHandler<DisconnectedEventArgs> Disconnected;

        private readonly IClient transport;
        private Connection connection;
        private Message connectMessage;
        private Dictionary<ushort, MethodInfo> handlers;
        private int attempts;
        private int maxAttempts;
        private long nextBeat;

        public Client(IClient transport, string logName = "CLIENT")
        {
            this.transport = transport;
            transport.ConnectionFailed += delegate { Fail(); };
            transport.DataReceived += HandleData;
            transport.Disconnected += delegate(object _, Transports.DisconnectedEventArgs e) { End(e.Reason); };
        }

        public Connection Connection { get { return connection; } }
        public ushort Id { get { return connection.Id; } }
        public bool IsConnected { get { return connection != null && connection.IsConnected; } }
        public bool IsNotConnected { get { return connection == null || connection.IsNotConnected; } }

        public bool Connect(string hostAddress, int maxConnectionAttempts = 5, byte messageHandlerGroupId = 0,
            Message message = null, bool useMessageHandlers = true)
        {
            Disconnect();
            string error;
            if (!transport.Connect(hostAddress, out connection, out error))
            {
                RiptideLogger.Log(LogType.Error, error);
                return false;
            }
            handlers = useMessageHandlers ? FindHandlers(1, messageHandlerGroupId) : null;
            maxAttempts = maxConnectionAttempts;
            attempts = 0;
            connectMessage = Message.Create(MessageHeader.Connect);
            if (message != null)
                connectMessage.AddMessage(message);
            connection.LastHeard = Connection.Now;
            Beat();
            return true;
        }

        private void Beat()
        {
            nextBeat = Connection.Now + 1000;
            if (connection.IsConnecting && attempts++ >= maxAttempts)
                Fail();
            else if (connection.IsConnecting)
                connection.Send(connectMessage);
            else if (connection.IsConnected && connection.CanTimeout
                && Connection.Now - connection.LastHeard > connection.TimeoutTime)
                End(DisconnectReason.TimedOut);
            else if (connection.IsConnected)
                connection.Send(Message.Create(MessageHeader.Heartbeat).AddByte(0).AddShort(-1));
        }

        public void Update()
        {
            transport.Poll();
            HandleMessages();
            if (IsNotConnected)
                return;
            connection.Resend();
            if (Connection.Now >= nextBeat)
                Beat();
        }

        protected override void Handle(Connection from, Message message)
        {
            if (from.IsNotConnected)
                return;
            from.LastHeard = Connection.Now;
            switch (message.Header)
            {
                case MessageHeader.Welcome:
                    if (from.IsConnected)
                        return;
                    from.Id = message.GetUShort();
                    from.Current = Connection.Stage.Connected;
                    from.Send(Message.Create(MessageHeader.Welcome).AddUShort(from.Id));
                    if (Connected != null)
                        Connected(this, EventArgs.Empty);
                    break;
                case MessageHeader.Connect:
                    if (from.IsConnecting)
                        from.Current = Connection.Stage.Pending;
                    break;
                case MessageHeader.Reject:
                    RejectReason reason = (RejectReason)message.GetByte();
                    Fail(reason, reason == RejectReason.Custom ? message : null);
                    break;
                case MessageHeader.Disconnect:
                    End((DisconnectReason)message.GetByte());
                    break;
                case MessageHeader.Unreliable:
                case MessageHeader.Reliable:
                    OnMessageReceived(message);
                    break;
            }
        }

        protected virtual void OnMessageReceived(Message message)
        {
            ushort id = (ushort)message.GetVarULong();
            if (MessageReceived != null)
                MessageReceived(this, new MessageReceivedEventArgs(connection, id, message));
            MethodInfo handler;
            if (handlers == null)
                return;
            if (handlers.TryGetValue(id, out handler))
                handler.Invoke(null, new object[] { message });
            else
                RiptideLogger.Log(LogType.Warning, "no handler for message " + id);
        }

        public ushort Send(Message message, bool shouldRelease = true) { return connection.Send(message, shouldRelease); }

        public void Disconnect()
        {
            if (IsNotConnected)
                return;
            connection.Send(Message.Create(MessageHeader.Disconnect));
            End(DisconnectReason.Disconnected);
        }

        private void End(DisconnectReason reason)
        {
            if (IsNotConnected)
                return;
            connection.Current = Connection.Stage.NotConnected;
            transport.Disconnect();
            if (Disconnected != null)
                Disconnected(this, new DisconnectedEventArgs(reason));
        }

        private void Fail(RejectReason reason = RejectReason.NoConnection, Message message = null)
        {
            if (IsNotConnected)
                return;
            connection.Current = Connection.Stage.NotConnected;
            transport.Disconnect();
            if (ConnectionFailed != null)
                ConnectionFailed(this, new ConnectionFailedEventArgs(reason, message));
        }
    }

    public class Server : Peer
    {
        public event EventHandler<ServerConnectedEventArgs> ClientConnected;
        public event EventHandler<MessageReceivedEventArgs> MessageReceived;
        public event EventHandler<ServerDisconnectedEventArgs> ClientDisconnected;

        private readonly IServer transport;
        private readonly Dictionary<ushort, Connection> clients = new Dictionary<ushort, Connection>();
        private readonly List<Connection> joining = new List<Connection>();
        private Dictionary<ushort, MethodInfo> handlers;

        public Server(IServer transport, string logName = "SERVER")
        {
            this.transport = transport;
            transport.Connected += delegate { };
            transport.DataReceived += HandleData;
            transport.Disconnected += delegate(object _, Transports.DisconnectedEventArgs e) { End(e.Connection, e.Reason); };
        }

        public ushort Port { get { return transport.Port; } }
        public int ClientCount { get { return clients.Count; } }
        public Connection[] Clients { get { return clients.Values.ToArray(); } }

        public void Start(ushort port, ushort maxClientCount, byte messageHandlerGroupId = 0, bool useMessageHandlers = true)
        {
            handlers = useMessageHandlers ? FindHandlers(2, messageHandlerGroupId) : null;
            transport.Start(port);
        }

        public void Update()
        {
            transport.Poll();
            HandleMessages();
            foreach (Connection one in joining.Concat(clients.Values).ToArray())
                one.Resend();
        }

        protected override void Handle(Connection from, Message message)
        {
            if (from.IsNotConnected)
                return;
            switch (message.Header)
            {
                case MessageHeader.Connect:
                    if (!from.IsConnecting)
                    {
                        DisconnectClient(from);
                        return;
                    }
                    ushort id = 1;
                    while (clients.ContainsKey(id) || joining.Any(it => it.Id == id))
                        id++;
                    from.Id = id;
                    from.Current = Connection.Stage.Pending;
                    joining.Add(from);
                    from.Send(Message.Create(MessageHeader.Welcome).AddUShort(id));
                    break;
                case MessageHeader.Welcome:
                    if (!joining.Remove(from))
                        return;
                    from.Current = Connection.Stage.Connected;
                    clients[from.Id] = from;
                    if (ClientConnected != null)
                        ClientConnected(this, new ServerConnectedEventArgs(from));
                    break;
                case MessageHeader.Heartbeat:
                    from.Send(Message.Create(MessageHeader.Heartbeat).AddByte(message.GetByte()));
                    break;
                case MessageHeader.Disconnect:
                    End(from, DisconnectReason.Disconnected);
                    break;
                case MessageHeader.Unreliable:
                case MessageHeader.Reliable:
                    OnMessageReceived(message, from);
                    break;
            }
        }

        protected virtual void OnMessageReceived(Message message, Connection fromConnection)
        {
            ushort id = (ushort)message.GetVarULong();
            if (MessageReceived != null)
                MessageReceived(this, new MessageReceivedEventArgs(fromConnection, id, message));
            MethodInfo handler;
            if (handlers == null)
                return;
            if (handlers.TryGetValue(id, out handler))
                handler.Invoke(null, new object[] { fromConnection.Id, message });
            else
                RiptideLogger.Log(LogType.Warning, "no handler for message " + id);
        }

        public bool TryGetClient(ushort id, out Connection client) { return clients.TryGetValue(id, out client); }

        public void Send(Message message, ushort toClient, bool shouldRelease = true) { clients[toClient].Send(message); }

        public ushort Send(Message message, Connection toClient, bool shouldRelease = true) { return toClient.Send(message); }

        public void SendToAll(Message message, bool shouldRelease = true)
        {
            foreach (Connection client in clients.Values)
                client.Send(message);
        }

        public void DisconnectClient(Connection client, Message message = null)
        {
            client.Send(Message.Create(MessageHeader.Disconnect).AddByte((byte)DisconnectReason.Kicked));
            End(client, DisconnectReason.Kicked);
        }

        private void End(Connection client, DisconnectReason reason)
        {
            if (client.IsNotConnected)
                return;
            bool wasConnected = client.IsConnected;
            client.Current = Connection.Stage.NotConnected;
            joining.Remove(client);
            clients.Remove(client.Id);
            transport.Close(client);
            if (wasConnected && ClientDisconnected != null)
                ClientDisconnected(this, new ServerDisconnectedEventArgs(client, reason));
        }

        public void Stop()
        {
            SendToAll(Message.Create(MessageHeader.Disconnect).AddByte((byte)DisconnectReason.ServerStopped));
            clients.Clear();
            transport.Shutdown();
        }
    }
}

namespace Riptide.Utils
{
    public enum LogType { Debug, Info, Warning, Error }

    public class RiptideLogger
    {
        public delegate void LogMethod(string log);

        private static LogMethod method;

        public static void Initialize(LogMethod logMethod, bool includeTimestamps) { method = logMethod; }

        public static void Log(LogType logType, string message)
        {
            if (method != null)
                method(logType + ": " + message);
        }

        public static void Log(LogType logType, string logName, string message) { Log(logType, logName + ": " + message); }
    }
}
