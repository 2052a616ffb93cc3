using System;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Riptide;
using Riptide.Transports;

namespace Gamewire.WebSockets
{
    /// <summary>A client of a <see cref="WebSocketServer"/>.</summary>
    public sealed class WebSocketServerConnection : Connection
    {
        private enum Stage
        {
            /// <summary>The upgrade request is incomplete.</summary>
            Upgrading,
            Open,
            /// <summary>A close frame or a refusal is queued; the socket closes after it was sent.</summary>
            Closing,
            Closed,
        }

        private readonly Socket socket;
        private readonly FrameReader reader;
        private readonly FrameWriter writer;
        private readonly WebSocketServer server;
        private readonly Stopwatch age = Stopwatch.StartNew();
        private byte[] head = new byte[512];
        private int headLength;
        private Stage stage = Stage.Upgrading;
        private long closeAt;
        private bool hasConnect;
        private bool isWriteShut;

        internal WebSocketServerConnection(WebSocketServer server, Socket socket)
        {
            this.server = server;
            this.socket = socket;
            socket.Blocking = false;
            socket.NoDelay = true;
            RemoteEndPoint = (IPEndPoint)socket.RemoteEndPoint;
            reader = new FrameReader(Message.MaxSize, true);
            writer = new FrameWriter(server.MaxUnsentBytes);
            // TCP repeats lost segments, so missing acks mean a stall, such as a hidden browser tab.
            CanQualityDisconnect = false;
        }

        /// <summary>The address of the client, or of the reverse proxy before it.</summary>
        public IPEndPoint RemoteEndPoint { get; }

        /// <summary>The origin of the web page; null for a program.</summary>
        public string Origin { get; private set; }

        internal bool IsUpgraded { get; private set; }
        internal bool IsOpen { get { return stage == Stage.Open; } }
        internal bool IsClosed { get { return stage == Stage.Closed; } }

        /// <summary>True if Riptide has not received a valid connect request.</summary>
        internal bool IsHalfOpen { get { return stage == Stage.Upgrading || (stage == Stage.Open && IsConnecting); } }

        /// <summary>Queues a packet as a binary message and sends as much as possible.</summary>
        protected override void Send(byte[] dataBuffer, int amount)
        {
            if (stage != Stage.Open)
                return;
            if (writer.AddFrame(Opcode.Binary, dataBuffer, 0, amount))
                Flush();
            else
                server.Lose(this, DisconnectReason.TransportError);
        }

        /// <summary>Reads what has arrived.</summary>
        internal void Poll(byte[] buffer)
        {
            if (stage == Stage.Closing)
            {
                Flush();
                FinishClosing(buffer);
                return;
            }
            for (int rounds = 0; rounds < WebSocketServer.MaxReads && (stage == Stage.Upgrading || stage == Stage.Open); rounds++)
            {
                SocketError error;
                int count = socket.Receive(buffer, 0, buffer.Length, SocketFlags.None, out error);
                if (error == SocketError.WouldBlock)
                    break;
                if (error != SocketError.Success || count == 0)
                {
                    server.Lose(this, error == SocketError.TimedOut ? DisconnectReason.TimedOut : DisconnectReason.Disconnected);
                    return;
                }
                int at = 0;
                if (stage == Stage.Upgrading)
                    at = ReadHead(buffer, count);
                if (stage == Stage.Open)
                    ReadFrames(buffer, at, count);
                if (count < buffer.Length)
                    break;
            }
            if (IsHalfOpen && age.ElapsedMilliseconds > server.ConnectTimeout)
                server.Lose(this, DisconnectReason.TimedOut);
            Flush();
        }

        private int ReadHead(byte[] buffer, int count)
        {
            int before = headLength;
            int take = Math.Min(count, UpgradeRequest.MaxBytes - headLength);
            if (headLength + take > head.Length)
                Array.Resize(ref head, Math.Min(UpgradeRequest.MaxBytes, Math.Max(head.Length * 2, headLength + take)));
            Buffer.BlockCopy(buffer, 0, head, headLength, take);
            headLength += take;
            int length = UpgradeRequest.HeadLength(head, headLength);
            if (length == 0)
            {
                if (headLength == UpgradeRequest.MaxBytes)
                    Refuse(UpgradeRequest.Refusal("431 Request Header Fields Too Large", ""));
                return count;
            }
            bool isAccepted;
            UpgradeRequest request = UpgradeRequest.Parse(head, length);
            byte[] answer = request.Answer(server.AllowedOrigins, out isAccepted);
            head = null;
            if (!isAccepted)
            {
                Refuse(answer);
                return count;
            }
            Origin = request.Origin;
            writer.AddRaw(answer);
            stage = Stage.Open;
            IsUpgraded = true;
            server.Upgraded(this);
            return length - before;
        }

        private void ReadFrames(byte[] buffer, int at, int end)
        {
            while (stage == Stage.Open)
            {
                switch (reader.Read(buffer, ref at, end))
                {
                    case FrameResult.None:
                        return;
                    case FrameResult.Message:
                        Receive();
                        break;
                    case FrameResult.Ping:
                        if (!writer.AddFrame(Opcode.Pong, reader.Control, 0, reader.ControlLength))
                            server.Lose(this, DisconnectReason.TransportError);
                        break;
                    case FrameResult.Close:
                        BeginClosing(1000);
                        server.Ended(this, DisconnectReason.Disconnected);
                        return;
                    default:
                        BeginClosing(reader.CloseCode);
                        server.Ended(this, DisconnectReason.TransportError);
                        return;
                }
            }
        }

        private void Receive()
        {
            if ((MessageHeader)(reader.Message[0] & 0x0F) == MessageHeader.Connect)
            {
                // Riptide would reject a connection that exists.
                if (hasConnect)
                    return;
                hasConnect = true;
            }
            else if (!hasConnect)
                return;
            server.Received(this, reader.Message, reader.MessageLength);
        }

        private void Refuse(byte[] answer)
        {
            writer.AddRaw(answer);
            stage = Stage.Closing;
            closeAt = age.ElapsedMilliseconds + server.CloseTimeout;
            Flush();
        }

        /// <summary>Closes after everything queued was sent. May be called more than once.</summary>
        internal void BeginClosing(int code)
        {
            if (stage != Stage.Open)
            {
                if (stage == Stage.Upgrading)
                    CloseNow();
                return;
            }
            writer.AddClose(code);
            stage = Stage.Closing;
            closeAt = age.ElapsedMilliseconds + server.CloseTimeout;
            Flush();
        }

        /// <summary>Reads and drops input until the peer has closed too: closing a socket with unread bytes would reset
        /// the connection and destroy what was sent.</summary>
        private void FinishClosing(byte[] buffer)
        {
            if (stage != Stage.Closing)
                return;
            if (writer.Length == 0 && !isWriteShut)
            {
                isWriteShut = true;
                try
                {
                    socket.Shutdown(SocketShutdown.Send);
                }
                catch (SocketException)
                {
                    CloseNow();
                    return;
                }
            }
            SocketError error;
            int count = socket.Receive(buffer, 0, buffer.Length, SocketFlags.None, out error);
            bool isEnd = error != SocketError.WouldBlock && (error != SocketError.Success || count == 0);
            if (isEnd || age.ElapsedMilliseconds > closeAt)
                CloseNow();
        }

        internal void Flush()
        {
            while (writer.Length > 0 && stage != Stage.Closed)
            {
                SocketError error;
                int sent = socket.Send(writer.Bytes, writer.Start, writer.Length, SocketFlags.None, out error);
                if (error == SocketError.WouldBlock)
                    return;
                if (error != SocketError.Success || sent == 0)
                {
                    server.Lose(this, DisconnectReason.Disconnected);
                    return;
                }
                writer.Sent(sent);
            }
        }

        internal void CloseNow()
        {
            if (stage == Stage.Closed)
                return;
            stage = Stage.Closed;
            socket.Close();
        }

        /// <summary>Returns the address of the client.</summary>
        public override string ToString()
        {
            return "ws://" + RemoteEndPoint;
        }
    }
}
