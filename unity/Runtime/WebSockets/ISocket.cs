namespace Gamewire.WebSockets
{
    /// <summary>State of a client's WebSocket.</summary>
    internal enum SocketState
    {
        Connecting,
        Open,
        /// <summary>Closed or failed. Received messages may be left.</summary>
        Closed,
    }

    /// <summary>A client's WebSocket, polled by one thread. A desktop and a browser implement it differently.</summary>
    internal interface ISocket
    {
        SocketState State { get; }

        /// <summary>Why the socket is closed, for the log; may be null.</summary>
        string Error { get; }

        /// <summary>Queues a binary message; copies the data. Drops it if the queue is full or the socket closed.</summary>
        void Send(byte[] data, int amount);

        /// <summary>Takes the next received message. A message longer than <paramref name="into"/> closes the socket.</summary>
        bool TryReceive(byte[] into, out int amount);

        /// <summary>Sends what is queued, then closes.</summary>
        void Close();
    }
}
