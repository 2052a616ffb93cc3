using System.Net;

namespace Gamewire.Encryption
{
    /// <summary>One client of a <see cref="RecordServer"/>.</summary>
    internal sealed class RecordSession
    {
        internal RecordCipher Cipher;
        internal byte[] Token;
        /// <summary>The address that packets are sent to. The client has proven that it receives there.</summary>
        internal IPEndPoint Address;
        /// <summary>Time of the handshake, later of the last genuine record.</summary>
        internal long LastReceived;
        /// <summary>True after the first genuine record.</summary>
        internal bool IsOpen;
        internal bool IsClosed;
        /// <summary>The client's public key, and the server's message, which answers a repeated initiation. Null after the
        /// first record.</summary>
        internal byte[] ClientPublic;
        internal byte[] Response;
        /// <summary>An address that is challenged.</summary>
        internal NewPath NewPath;
        /// <summary>The challenge that the client answered for its present address.</summary>
        internal byte[] Answered;
        /// <summary>The connection in Riptide, after its connect request.</summary>
        internal EncryptedConnection Connection;

        /// <summary>Returns whether an initiation repeats the one of this session.</summary>
        internal bool IsRepeated(IPEndPoint from, byte[] clientPublic)
        {
            return Address.Equals(from) && Bytes.AreEqual(ClientPublic, 0, clientPublic, 0, X25519.KeyBytes);
        }

        /// <summary>Returns whether the session has this token.</summary>
        internal bool HasToken(byte[] token)
        {
            return Token.Length == token.Length && Bytes.AreEqual(Token, 0, token, 0, token.Length);
        }
    }

    /// <summary>A new address of a client, which has not proven that it receives there.</summary>
    internal sealed class NewPath
    {
        private const int MinInterval = 100;
        private const int MaxInterval = 1000;
        private const int MaxChallenges = 16;
        /// <summary>Bytes of a challenge as a datagram.</summary>
        private const int DatagramBytes = Wire.OverheadBytes + 1 + Wire.ChallengeBytes;

        internal readonly IPEndPoint Address;
        internal readonly byte[] Challenge;
        /// <summary>Bytes received from there, less the bytes sent there.</summary>
        private long allowance;
        private long next = long.MinValue;
        private int interval = MinInterval;
        private int sent;

        internal NewPath(IPEndPoint address, byte[] challenge)
        {
            Address = address;
            Challenge = challenge;
        }

        /// <summary>Counts a datagram from the address. Returns whether a challenge must be sent.</summary>
        internal bool OnDatagram(long now, int count)
        {
            allowance += count;
            if (now < next || allowance < DatagramBytes || sent >= MaxChallenges)
                return false;
            allowance -= DatagramBytes;
            next = now + interval;
            interval = System.Math.Min(2 * interval, MaxInterval);
            sent++;
            return true;
        }
    }
}
