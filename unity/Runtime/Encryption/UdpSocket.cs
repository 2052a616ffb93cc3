#if !UNITY_WEBGL || UNITY_EDITOR
using System;
using System.Net;
using System.Net.Sockets;

namespace Gamewire.Encryption
{
    /// <summary>A UDP socket that never blocks, and whose errors are no exceptions after its creation.</summary>
    internal sealed class UdpSocket
    {
        private const int BufferBytes = 1 << 20;
        /// <summary>SIO_UDP_CONNRESET of Windows: without it an unreachable client ends the receiving.</summary>
        private const int ConnectionResets = -1744830452;

        private readonly Socket socket;
        private readonly EndPoint any;

        /// <summary>Opens a socket.</summary>
        /// <param name="address">The address to bind; <see cref="IPAddress.IPv6Any"/> is for IPv4 too.</param>
        /// <param name="port">The port; 0 for any.</param>
        /// <exception cref="SocketException">The port is in use, or the family is not supported.</exception>
        internal UdpSocket(IPAddress address, ushort port)
        {
            socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            try
            {
                if (address.Equals(IPAddress.IPv6Any))
                    socket.DualMode = true;
                socket.Blocking = false;
                socket.ReceiveBufferSize = BufferBytes;
                socket.SendBufferSize = BufferBytes;
                if (Environment.OSVersion.Platform == PlatformID.Win32NT)
                    socket.IOControl(ConnectionResets, new byte[] { 0 }, null);
                socket.Bind(new IPEndPoint(address, port));
            }
            catch (SocketException)
            {
                socket.Close();
                throw;
            }
            bool isV6 = address.AddressFamily == AddressFamily.InterNetworkV6;
            any = new IPEndPoint(isV6 ? IPAddress.IPv6Any : IPAddress.Any, 0);
        }

        internal ushort Port { get { return (ushort)((IPEndPoint)socket.LocalEndPoint).Port; } }

        /// <summary>Returns an address as this socket shows it.</summary>
        internal IPEndPoint Own(IPEndPoint endPoint)
        {
            bool isMapped = any.AddressFamily == AddressFamily.InterNetworkV6;
            return isMapped ? new IPEndPoint(endPoint.Address.MapToIPv6(), endPoint.Port) : endPoint;
        }

        /// <summary>Receives a datagram. Those that are longer than the buffer are dropped.</summary>
        internal bool TryReceive(byte[] buffer, out int count, out IPEndPoint from)
        {
            count = 0;
            from = null;
            try
            {
                if (socket.Available == 0 && !socket.Poll(0, SelectMode.SelectRead))
                    return false;
                EndPoint sender = any;
                count = socket.ReceiveFrom(buffer, ref sender);
                from = (IPEndPoint)sender;
            }
            catch (SocketException error)
            {
                // The next datagram may be a good one.
                return error.SocketErrorCode == SocketError.ConnectionReset || error.SocketErrorCode == SocketError.MessageSize
                    || error.SocketErrorCode == SocketError.ConnectionRefused;
            }
            catch (ObjectDisposedException)
            {
                return false;
            }
            return true;
        }

        /// <summary>Sends a datagram.</summary>
        /// <returns>False if the socket cannot send any more, as after a change of the network on some systems.</returns>
        internal bool TrySend(IPEndPoint to, byte[] buffer, int count)
        {
            try
            {
                socket.SendTo(buffer, 0, count, SocketFlags.None, to);
                return true;
            }
            catch (SocketException error)
            {
                // The datagram is lost. Riptide repeats what is reliable.
                return error.SocketErrorCode == SocketError.WouldBlock || error.SocketErrorCode == SocketError.NoBufferSpaceAvailable
                    || error.SocketErrorCode == SocketError.ConnectionReset || error.SocketErrorCode == SocketError.ConnectionRefused;
            }
            catch (ObjectDisposedException)
            {
                return false;
            }
        }

        internal void Close()
        {
            socket.Close();
        }
    }
}
#endif
