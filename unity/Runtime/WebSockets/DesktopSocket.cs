#if !UNITY_WEBGL || UNITY_EDITOR
using System;
using System.Collections.Generic;
using System.Net.WebSockets;
using System.Threading;
using System.Threading.Tasks;

namespace Gamewire.WebSockets
{
    /// <summary>A WebSocket of .NET, with one task that sends and one that receives.</summary>
    internal sealed class DesktopSocket : ISocket
    {
        private const int MaxQueued = 4096;
        private const int ConnectTimeout = 10000;
        private const int CloseTimeout = 2000;

        private readonly ClientWebSocket socket = new ClientWebSocket();
        private readonly CancellationTokenSource cancel = new CancellationTokenSource();
        private readonly object gate = new object();
        private readonly Queue<byte[]> outgoing = new Queue<byte[]>();
        private readonly Queue<byte[]> incoming = new Queue<byte[]>();
        private readonly SemaphoreSlim wakeup = new SemaphoreSlim(0);
        private readonly int maxMessageBytes;
        private SocketState state = SocketState.Connecting;
        private bool isClosing;
        private string error;

        internal DesktopSocket(Uri address, int maxMessageBytes)
        {
            this.maxMessageBytes = maxMessageBytes;
            // Riptide has its own heartbeats.
            socket.Options.KeepAliveInterval = TimeSpan.Zero;
            // Not on the caller's synchronization context: Unity's would run it on the main thread.
            Task.Run(delegate { return Run(address); });
        }

        public SocketState State
        {
            get
            {
                lock (gate)
                    return state;
            }
        }

        public string Error
        {
            get
            {
                lock (gate)
                    return error;
            }
        }

        public void Send(byte[] data, int amount)
        {
            byte[] copy = new byte[amount];
            Buffer.BlockCopy(data, 0, copy, 0, amount);
            lock (gate)
            {
                if (isClosing || state == SocketState.Closed || outgoing.Count >= MaxQueued)
                    return;
                outgoing.Enqueue(copy);
            }
            wakeup.Release();
        }

        public bool TryReceive(byte[] into, out int amount)
        {
            byte[] message;
            lock (gate)
            {
                amount = 0;
                if (incoming.Count == 0)
                    return false;
                message = incoming.Dequeue();
            }
            amount = message.Length;
            Buffer.BlockCopy(message, 0, into, 0, amount);
            return true;
        }

        public void Close()
        {
            lock (gate)
            {
                if (isClosing)
                    return;
                isClosing = true;
                // Before the connection exists, nothing can be sent.
                if (state == SocketState.Connecting)
                    cancel.Cancel();
                else
                    cancel.CancelAfter(CloseTimeout);
            }
            wakeup.Release();
        }

        private async Task Run(Uri address)
        {
            try
            {
                await Connect(address).ConfigureAwait(false);
                Task sending = SendAll();
                await ReceiveAll().ConfigureAwait(false);
                lock (gate)
                    isClosing = true;
                wakeup.Release();
                await sending.ConfigureAwait(false);
            }
            catch (Exception failure)
            {
                // Sockets throw many types, and an unhandled one would end the task without a state.
                lock (gate)
                    error = error ?? failure.Message;
            }
            finally
            {
                lock (gate)
                    state = SocketState.Closed;
                socket.Dispose();
            }
        }

        private async Task Connect(Uri address)
        {
            using (CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(cancel.Token))
            {
                limit.CancelAfter(ConnectTimeout);
                await socket.ConnectAsync(address, limit.Token).ConfigureAwait(false);
            }
            lock (gate)
            {
                if (!isClosing)
                    state = SocketState.Open;
            }
        }

        private async Task SendAll()
        {
            try
            {
                while (true)
                {
                    await wakeup.WaitAsync(cancel.Token).ConfigureAwait(false);
                    byte[] next;
                    bool isLast;
                    lock (gate)
                    {
                        next = outgoing.Count > 0 ? outgoing.Dequeue() : null;
                        isLast = isClosing && next == null;
                    }
                    if (next != null)
                    {
                        await socket.SendAsync(new ArraySegment<byte>(next), WebSocketMessageType.Binary, true, cancel.Token)
                            .ConfigureAwait(false);
                    }
                    else if (isLast)
                    {
                        await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, "", cancel.Token)
                            .ConfigureAwait(false);
                        return;
                    }
                }
            }
            catch (Exception failure)
            {
                lock (gate)
                    error = error ?? failure.Message;
                // Also ends the task that receives.
                cancel.Cancel();
            }
        }

        private async Task ReceiveAll()
        {
            byte[] buffer = new byte[maxMessageBytes];
            int length = 0;
            while (true)
            {
                // A read of no bytes would return at once; one byte more shows that a message is too long.
                if (length == buffer.Length)
                    throw new InvalidOperationException("the server sent a message longer than " + maxMessageBytes + " bytes");
                WebSocketReceiveResult part = await socket
                    .ReceiveAsync(new ArraySegment<byte>(buffer, length, buffer.Length - length), cancel.Token)
                    .ConfigureAwait(false);
                if (part.MessageType == WebSocketMessageType.Close)
                    return;
                if (part.MessageType != WebSocketMessageType.Binary)
                    throw new InvalidOperationException("the server sent a text message");
                length += part.Count;
                if (!part.EndOfMessage)
                    continue;
                byte[] message = new byte[length];
                Buffer.BlockCopy(buffer, 0, message, 0, length);
                length = 0;
                lock (gate)
                {
                    if (incoming.Count >= MaxQueued)
                        throw new InvalidOperationException("more than " + MaxQueued + " messages were not polled");
                    if (message.Length > 0)
                        incoming.Enqueue(message);
                }
            }
        }
    }
}
#endif
