using System;
using System.Collections.Generic;
using Riptide;

namespace Gamewire.Messages
{
    /// <summary>Ordered and large messages of a server.</summary>
    public sealed class ServerExtension : Extension
    {
        private static readonly Action<Server, Message, Connection> Handle =
            (Action<Server, Message, Connection>)Delegate.CreateDelegate(
                typeof(Action<Server, Message, Connection>), Receiver(typeof(Server)));

        private readonly Server server;
        private readonly Dictionary<Connection, Link> links = new Dictionary<Connection, Link>(new ByReference());

        /// <summary>Connections of UDP compare by their addresses.</summary>
        private sealed class ByReference : IEqualityComparer<Connection>
        {
            public bool Equals(Connection one, Connection other)
            {
                return ReferenceEquals(one, other);
            }

            public int GetHashCode(Connection connection)
            {
                return System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(connection);
            }
        }

        internal ServerExtension(Server server, ExtensionOptions options) : base(options)
        {
            this.server = server;
            server.ClientConnected += OnClientConnected;
            server.ClientDisconnected += OnClientDisconnected;
            server.MessageReceived += OnMessageReceived;
        }

        /// <summary>Returns whether a client has the extension and both have agreed.</summary>
        public bool IsReady(Connection client)
        {
            Link link = Find(client);
            return link != null && link.IsReady;
        }

        /// <summary>Returns the bytes of ordered and large messages that a client has not acknowledged.</summary>
        public int QueuedBytes(Connection client)
        {
            Link link = Find(client);
            return link == null ? 0 : link.QueuedBytes;
        }

        internal Link Find(Connection client)
        {
            Link link;
            return (object)client != null && client.IsConnected && links.TryGetValue(client, out link) ? link : null;
        }

        private void OnClientConnected(object sender, ServerConnectedEventArgs e)
        {
            Link link;
            // The parameters of the client may have arrived before its confirmation.
            if (links.TryGetValue(e.Client, out link))
                link.SendHello();
        }

        private void OnClientDisconnected(object sender, ServerDisconnectedEventArgs e)
        {
            Link link;
            if (!links.TryGetValue(e.Client, out link))
                return;
            link.Detach();
            links.Remove(e.Client);
        }

        private void OnMessageReceived(object sender, MessageReceivedEventArgs e)
        {
            if (e.MessageId != Options.Id || e.Message.SendMode != MessageSendMode.Reliable
                || e.FromConnection.IsNotConnected)
                return;
            Link link;
            if (!links.TryGetValue(e.FromConnection, out link))
                link = NewLink(e.FromConnection, true);
            Link.Result result = link.Receive(e.Message);
            if (result == Link.Result.Violation)
            {
                server.DisconnectClient(e.FromConnection);
                return;
            }
            if (result == Link.Result.Foreign)
            {
                link.Detach();
                return;
            }
            links[e.FromConnection] = link;
            Deliver(link, message => Handle(server, message, e.FromConnection));
        }
    }
}
