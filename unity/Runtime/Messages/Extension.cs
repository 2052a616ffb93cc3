using System;
using System.Collections.Generic;
using System.Reflection;
using Riptide;
using Riptide.Utils;

namespace Gamewire.Messages
{
    /// <summary>Handles a large message.</summary>
    public delegate void LargeHandler(Connection from, byte[] data);

    /// <summary>Bytes of a large message that arrived or that the peer acknowledged.</summary>
    public delegate void ProgressHandler(Connection connection, ushort id, int bytes, int total);

    /// <summary>The parts that the extensions of clients and of servers share.</summary>
    public abstract class Extension
    {
        private readonly Dictionary<ushort, LargeHandler> largeHandlers = new Dictionary<ushort, LargeHandler>();

        internal Extension(ExtensionOptions options)
        {
            Options = options ?? new ExtensionOptions();
        }

        internal ExtensionOptions Options { get; private set; }

        /// <summary>Raised when both sides have agreed: ordered and large messages can be sent.</summary>
        public event Action<Connection> Ready;

        /// <summary>Raised for each part of a message that arrived.</summary>
        public event ProgressHandler ReceiveProgress;

        /// <summary>Raised for each part of a large message that the peer acknowledged.</summary>
        public event ProgressHandler SendProgress;

        /// <summary>Handles messages with this id as bytes, whatever their length. Ids without a handler go to the
        /// message handlers of Riptide, if they fit into a <see cref="Message"/>.</summary>
        public void HandleLarge(ushort id, LargeHandler handler)
        {
            largeHandlers[id] = handler;
        }

        internal Link NewLink(Connection connection, bool isServer)
        {
            Link link = new Link(connection, isServer, Options);
            link.Ready = from =>
            {
                if (Ready != null)
                    Ready(from);
            };
            link.ReceiveProgress = (from, id, bytes, total) =>
            {
                if (ReceiveProgress != null)
                    ReceiveProgress(from, id, bytes, total);
            };
            link.SendProgress = (to, id, bytes, total) =>
            {
                if (SendProgress != null)
                    SendProgress(to, id, bytes, total);
            };
            return link;
        }

        internal void Deliver(Link link, Action<Message> handle)
        {
            // A handler may close the connection.
            while (link.Complete.Count > 0 && !link.Connection.IsNotConnected)
            {
                Complete complete = link.Complete.Dequeue();
                LargeHandler handler;
                if (largeHandlers.TryGetValue(complete.Id, out handler))
                {
                    handler(link.Connection, complete.Bytes);
                    continue;
                }
                Message message = Message.Create(MessageSendMode.Reliable, complete.Id);
                if (message.UnwrittenBits < complete.Bits)
                {
                    RiptideLogger.Log(LogType.Error, "a message with ID " + complete.Id + " has " + complete.Bytes.Length
                        + " bytes and no handler; register one with HandleLarge");
                }
                else
                {
                    MessageBits.Add(message, complete.Bytes, (int)complete.Bits);
                    handle(message);
                }
                message.Release();
            }
        }

        internal static bool TrySend(Link link, Message message, bool shouldRelease)
        {
            if (message.SendMode != MessageSendMode.Reliable)
                throw new ArgumentException("an ordered message must be created as reliable", "message");
            ushort id;
            int start = MessageBits.PeekId(message, out id);
            int bits = message.WrittenBits - start;
            byte[] bytes = new byte[(bits + 7) / 8];
            MessageBits.Peek(message, start, bits, bytes);
            bool isSent = link != null && link.TrySend(id, (uint)bits, bytes, false);
            if (isSent && shouldRelease)
                message.Release();
            return isSent;
        }

        internal static bool TrySendLarge(Link link, ushort id, byte[] data)
        {
            return link != null && data.Length <= int.MaxValue / 8
                && link.TrySend(id, (uint)data.Length * 8, (byte[])data.Clone(), true);
        }

        /// <summary>Returns Riptide's own method for received messages, which the event and the handlers hang on.</summary>
        internal static MethodInfo Receiver(Type type)
        {
            MethodInfo method = type.GetMethod("OnMessageReceived", BindingFlags.Instance | BindingFlags.NonPublic);
            if (method == null)
                throw new MissingMethodException(type.FullName, "OnMessageReceived");
            return method;
        }
    }
}
