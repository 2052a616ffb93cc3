using System;
using Riptide;

namespace Gamewire.Messages
{
    /// <summary>Ordered and large messages of a client.</summary>
    public sealed class ClientExtension : Extension
    {
        private static readonly Action<Client, Message> Handle =
            (Action<Client, Message>)Delegate.CreateDelegate(typeof(Action<Client, Message>), Receiver(typeof(Client)));

        private readonly Client client;
        private Link link;

        internal ClientExtension(Client client, ExtensionOptions options) : base(options)
        {
            this.client = client;
            client.Connected += OnConnected;
            client.MessageReceived += OnMessageReceived;
        }

        /// <summary>True if the server has the extension and both have agreed.</summary>
        public bool IsReady { get { return Current != null && link.IsReady; } }

        /// <summary>Bytes of ordered and large messages that the server has not acknowledged.</summary>
        public int QueuedBytes { get { return Current == null ? 0 : link.QueuedBytes; } }

        internal Link Current
        {
            get
            {
                bool isCurrent = link != null && ReferenceEquals(link.Connection, client.Connection) && client.IsConnected;
                return isCurrent ? link : null;
            }
        }

        private void OnConnected(object sender, EventArgs e)
        {
            if (link != null)
                link.Detach();
            link = NewLink(client.Connection, false);
            link.SendHello();
        }

        private void OnMessageReceived(object sender, MessageReceivedEventArgs e)
        {
            if (e.MessageId != Options.Id || e.Message.SendMode != MessageSendMode.Reliable || Current == null)
                return;
            Link receiver = link;
            Link.Result result = receiver.Receive(e.Message);
            if (result == Link.Result.Violation)
                client.Disconnect();
            else if (result == Link.Result.Own)
                Deliver(receiver, message => Handle(client, message));
        }
    }
}
