using System;
using System.Net;
using System.Net.Sockets;

namespace Gamewire.Encryption
{
    /// <summary>The outcome of a datagram. All but the first two mean that it was dropped and changed nothing.</summary>
    internal enum Outcome
    {
        /// <summary>A packet of the layer itself.</summary>
        Handled,
        /// <summary>A record with a packet.</summary>
        Packet,
        /// <summary>No packet of the layer has this first byte.</summary>
        NotARecord,
        Malformed,
        /// <summary>A packet for the other role, or for another state of the handshake.</summary>
        OutOfTurn,
        UnsupportedVersion,
        /// <summary>The sender is not the server.</summary>
        UnknownAddress,
        WrongCookie,
        WrongKey,
        /// <summary>There are too many sessions or handshakes.</summary>
        Full,
        UnknownSession,
        Replayed,
        Forged,
    }

    /// <summary>The bytes of the layer, version 1: <c>docs/protocols/riptide.md</c> of gamewire describes them.</summary>
    internal static class Wire
    {
        internal const byte Version = 1;
        internal const byte Request = 0x1f;
        internal const byte Retry = 0x2f;
        internal const byte Initiation = 0x3f;
        internal const byte Response = 0x4f;
        internal const byte Data = 0x5f;
        internal const byte Control = 0x6f;

        internal const int RequestBytes = 64;
        internal const int NonceBytes = 8;
        internal const int CookieBytes = 16;
        internal const int HeaderBytes = 11;
        internal const int OverheadBytes = HeaderBytes + Aead.TagBytes;
        internal const ulong MaxCounter = (1UL << 48) - 1;

        /// <summary>Bytes of an initiation without its token.</summary>
        internal const int InitiationBytes = 2 + NonceBytes + CookieBytes + Noise.FirstBytes;
        internal const int RetryBytes = 1 + NonceBytes + CookieBytes;
        internal const int ResponseBytes = 1 + NonceBytes + Noise.SecondBytes;

        internal const byte Challenge = 1;
        internal const byte Answer = 2;
        internal const byte Moved = 3;
        internal const int ChallengeBytes = 8;

        /// <summary>Checks the first byte, the version and the length of a datagram.</summary>
        internal static Outcome Check(byte[] datagram, int count)
        {
            if (count == 0)
                return Outcome.NotARecord;
            bool hasLength;
            switch (datagram[0])
            {
                case Request:
                    hasLength = count == RequestBytes;
                    break;
                case Retry:
                    hasLength = count == RetryBytes;
                    break;
                case Initiation:
                    hasLength = count >= InitiationBytes && count <= InitiationBytes + ClientKey.MaxTokenBytes;
                    break;
                case Response:
                    hasLength = count == ResponseBytes;
                    break;
                case Data:
                case Control:
                    hasLength = count >= OverheadBytes;
                    break;
                default:
                    return Outcome.NotARecord;
            }
            if (!hasLength)
                return Outcome.Malformed;
            bool hasVersion = datagram[0] == Request || datagram[0] == Initiation;
            return hasVersion && datagram[1] != Version ? Outcome.UnsupportedVersion : Outcome.Handled;
        }

        /// <summary>Returns the concatenated parts.</summary>
        internal static byte[] Join(byte[] head, params byte[][] parts)
        {
            int length = head.Length;
            foreach (byte[] part in parts)
                length += part.Length;
            byte[] joined = new byte[length];
            Buffer.BlockCopy(head, 0, joined, 0, head.Length);
            int offset = head.Length;
            foreach (byte[] part in parts)
            {
                Buffer.BlockCopy(part, 0, joined, offset, part.Length);
                offset += part.Length;
            }
            return joined;
        }

        internal static byte[] WriteRequest(byte[] nonce)
        {
            byte[] request = new byte[RequestBytes];
            request[0] = Request;
            request[1] = Version;
            Buffer.BlockCopy(nonce, 0, request, 2, NonceBytes);
            return request;
        }

        internal static ulong ReadCounter(byte[] record)
        {
            return Bytes.ReadUInt(record, 5) | (ulong)record[9] << 32 | (ulong)record[10] << 40;
        }

        /// <summary>Returns the control message with the client's new address.</summary>
        internal static byte[] WriteMoved(IPEndPoint endPoint)
        {
            byte[] ip = Canonical(endPoint.Address).GetAddressBytes();
            byte[] port = { (byte)endPoint.Port, (byte)(endPoint.Port >> 8) };
            return Join(new[] { Moved, (byte)(ip.Length == 4 ? 4 : 6) }, ip, port);
        }

        /// <summary>Reads the address of a control message; null if it is invalid.</summary>
        internal static IPEndPoint ReadMoved(byte[] message)
        {
            int length = message.Length > 1 && message[1] == 4 ? 4 : 16;
            if (message.Length != 4 + length || message[1] != 4 && message[1] != 6)
                return null;
            int port = message[2 + length] | message[3 + length] << 8;
            return new IPEndPoint(new IPAddress(Bytes.Slice(message, 2, length)), port);
        }

        /// <summary>Returns the IPv4 address that an IPv6 socket maps.</summary>
        internal static IPAddress Canonical(IPAddress address)
        {
            bool isMapped = address.AddressFamily == AddressFamily.InterNetworkV6 && address.IsIPv4MappedToIPv6;
            return isMapped ? address.MapToIPv4() : address;
        }
    }
}
