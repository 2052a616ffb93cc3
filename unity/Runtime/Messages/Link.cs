using System;
using System.Collections.Generic;
using Riptide;

namespace Gamewire.Messages
{
    /// <summary>The extension on one connection.</summary>
    internal sealed class Link
    {
        internal enum Result
        {
            /// <summary>A message of the game: the peer has not sent its parameters.</summary>
            Foreign,
            /// <summary>A packet of the extension.</summary>
            Own,
            /// <summary>The peer violates the rules, and must be disconnected.</summary>
            Violation,
        }

        private readonly bool isServer;
        private readonly ExtensionOptions options;
        private readonly Reassembler reassembler;
        private readonly Outbox outbox;
        private readonly byte[] received = new byte[Message.MaxSize];
        private Hello peer;
        private bool hasPeer;
        private bool hasSentHello;
        private bool isHelloAcked;
        private ushort helloId;

        internal Link(Connection connection, bool isServer, ExtensionOptions options)
        {
            Connection = connection;
            this.isServer = isServer;
            this.options = options;
            reassembler = new Reassembler(options);
            int idBits = options.Id < 1 << 7 ? 8 : options.Id < 1 << 14 ? 16 : 24;
            int packetSize = (Message.MaxSize * 8 - MessageBits.ReliableHeader - idBits) / 8;
            outbox = new Outbox(options, packetSize, Send);
            outbox.Progress = (id, sent, total) =>
            {
                if (SendProgress != null)
                    SendProgress(Connection, id, sent, total);
            };
            connection.ReliableDelivered += Acked;
        }

        internal Connection Connection { get; private set; }

        /// <summary>Called when both sides have agreed.</summary>
        internal Action<Connection> Ready;

        /// <summary>Called with the connection, the id, the bytes that arrived or were acknowledged, and all bytes.</summary>
        internal Action<Connection, ushort, int, int> SendProgress;
        internal Action<Connection, ushort, int, int> ReceiveProgress;

        /// <summary>True if both sides have the other's parameters and know that the other has theirs. A server sends its
        /// parameters after those of the client, so the client then knows both.</summary>
        internal bool IsReady { get { return hasPeer && (isServer ? isHelloAcked : hasSentHello); } }

        internal Queue<Complete> Complete { get { return reassembler.Ready; } }

        /// <summary>Sends the parameters; a server waits for those of the client. The connection must be established.</summary>
        internal void SendHello()
        {
            if (hasSentHello || (isServer && !hasPeer) || !Connection.IsConnected)
                return;
            hasSentHello = true;
            byte[] hello = Hello.Encode(isServer, options);
            helloId = Send(hello, hello.Length);
        }

        private ushort Send(byte[] bytes, int length)
        {
            Message message = Message.Create(MessageSendMode.Reliable, options.Id);
            MessageBits.Add(message, bytes, length * 8);
            return Connection.Send(message);
        }

        internal bool TrySend(ushort id, uint bits, byte[] bytes, bool isLarge)
        {
            return IsReady && outbox.Add(id, bits, bytes, isLarge, ref peer);
        }

        internal int QueuedBytes { get { return outbox.QueuedBytes; } }

        private void Acked(ushort sequenceId)
        {
            if (hasSentHello && !isHelloAcked && sequenceId == helloId)
            {
                isHelloAcked = true;
                if (isServer && Ready != null)
                    Ready(Connection);
            }
            else
                outbox.Acked(sequenceId, ref peer);
        }

        /// <summary>Handles a reliable message with the extension's id.</summary>
        internal Result Receive(Message message)
        {
            int length = Math.Min(message.UnreadBits / 8, received.Length);
            MessageBits.Peek(message, message.ReadBits, length * 8, received);
            Hello hello;
            bool isHello = Hello.TryDecode(received, length, !isServer, out hello);
            if (!hasPeer && !isHello)
                return Result.Foreign;
            if (isHello)
            {
                // Only the first parameters count.
                if (!hasPeer)
                {
                    peer = hello;
                    hasPeer = true;
                    SendHello();
                    if (!isServer && Ready != null)
                        Ready(Connection);
                }
                return Result.Own;
            }
            Frame frame;
            int arrived;
            if (!Frame.TryDecode(received, length, out frame) || !reassembler.Receive(received, ref frame, out arrived))
                return Result.Violation;
            if (frame.Size > 0 && ReceiveProgress != null)
                ReceiveProgress(Connection, frame.Id, arrived, frame.Bytes);
            return Result.Own;
        }

        internal void Detach()
        {
            Connection.ReliableDelivered -= Acked;
        }
    }
}
