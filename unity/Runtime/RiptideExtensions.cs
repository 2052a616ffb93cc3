using System;
using System.Runtime.CompilerServices;
using Gamewire.Messages;
using Riptide;

namespace Gamewire
{
    /// <summary>Ordered and large messages for the clients and servers of Riptide.</summary>
    public static class RiptideExtensions
    {
        private static readonly ConditionalWeakTable<Client, ClientExtension> Clients =
            new ConditionalWeakTable<Client, ClientExtension>();
        private static readonly ConditionalWeakTable<Server, ServerExtension> Servers =
            new ConditionalWeakTable<Server, ServerExtension>();

        /// <summary>Switches the extension on. Call it before <c>Connect</c>.</summary>
        /// <param name="client">The client.</param>
        /// <param name="options">The limits; null for the default ones. Only those of the first call count.</param>
        public static ClientExtension UseExtension(this Client client, ExtensionOptions options = null)
        {
            return Clients.GetValue(client, it => new ClientExtension(it, options));
        }

        /// <summary>Switches the extension on. Call it before <c>Start</c>.</summary>
        /// <param name="server">The server.</param>
        /// <param name="options">The limits; null for the default ones. Only those of the first call count.</param>
        public static ServerExtension UseExtension(this Server server, ExtensionOptions options = null)
        {
            return Servers.GetValue(server, it => new ServerExtension(it, options));
        }

        /// <summary>Sends a reliable message that the server handles after all ordered messages before it.</summary>
        /// <returns>false if nothing was sent: the server does not have the extension, has not agreed yet, or the queue
        /// is full. The message can be sent by <c>Send</c> then.</returns>
        public static bool SendOrdered(this Client client, Message message, bool shouldRelease = true)
        {
            return Extension.TrySend(Of(client).Current, message, shouldRelease);
        }

        /// <summary>Sends a reliable message that a client handles after all ordered messages before it.</summary>
        /// <returns>false if nothing was sent: the client does not have the extension, has not agreed yet, or the queue
        /// is full. The message can be sent by <c>Send</c> then.</returns>
        public static bool SendOrdered(this Server server, Message message, Connection toClient, bool shouldRelease = true)
        {
            return Extension.TrySend(Of(server).Find(toClient), message, shouldRelease);
        }

        /// <summary>Sends a reliable message that a client handles after all ordered messages before it.</summary>
        /// <returns>false if nothing was sent, also if there is no such client.</returns>
        public static bool SendOrdered(this Server server, Message message, ushort toClient, bool shouldRelease = true)
        {
            Connection connection;
            server.TryGetClient(toClient, out connection);
            return server.SendOrdered(message, connection, shouldRelease);
        }

        /// <summary>Sends bytes that are too long for a message, after all ordered and large messages before them.</summary>
        /// <returns>false if nothing was sent: the server does not have the extension, has not agreed yet, accepts only
        /// shorter messages, or the queue is full.</returns>
        public static bool SendLarge(this Client client, ushort id, byte[] data)
        {
            return Extension.TrySendLarge(Of(client).Current, id, data);
        }

        /// <summary>Sends bytes that are too long for a message, after all ordered and large messages before them.</summary>
        /// <returns>false if nothing was sent: the client does not have the extension, has not agreed yet, accepts only
        /// shorter messages, or the queue is full.</returns>
        public static bool SendLarge(this Server server, ushort id, byte[] data, Connection toClient)
        {
            return Extension.TrySendLarge(Of(server).Find(toClient), id, data);
        }

        private static ClientExtension Of(Client client)
        {
            ClientExtension extension;
            if (!Clients.TryGetValue(client, out extension))
                throw new InvalidOperationException("the extension is off; call client.UseExtension() before Connect");
            return extension;
        }

        private static ServerExtension Of(Server server)
        {
            ServerExtension extension;
            if (!Servers.TryGetValue(server, out extension))
                throw new InvalidOperationException("the extension is off; call server.UseExtension() before Start");
            return extension;
        }
    }

    /// <summary>Riptide logs each message without a handler. These handle nothing: the extension reads its messages from
    /// the events.</summary>
    internal static class ExtensionHandlers
    {
        [MessageHandler(ExtensionOptions.DefaultId)]
        private static void OfServer(Message message) { }

        [MessageHandler(ExtensionOptions.DefaultId)]
        private static void OfClient(ushort fromClientId, Message message) { }
    }
}
