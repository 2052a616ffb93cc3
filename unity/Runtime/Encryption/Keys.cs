using System;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Gamewire.Encryption
{
    /// <summary>The secret key of a server. A program that has it can make the key of any client, and can act as the
    /// server.</summary>
    public sealed class ServerKey
    {
        /// <summary>Bytes of a key.</summary>
        public const int Length = 32;

        private readonly byte[] bytes;

        /// <summary>Creates a key of 32 random bytes that are secret.</summary>
        /// <exception cref="ArgumentException">There are not 32 bytes.</exception>
        public ServerKey(byte[] bytes)
        {
            if (bytes == null || bytes.Length != Length)
                throw new ArgumentException("invalid key: expected 32 bytes", "bytes");
            this.bytes = (byte[])bytes.Clone();
        }

        /// <summary>Creates a new key.</summary>
        public static ServerKey Generate()
        {
            return new ServerKey(SystemRandom.Instance.Next(Length));
        }

        /// <summary>Reads a key of 64 hexadecimal digits, as in a key file of gamewire.</summary>
        /// <exception cref="FormatException">The text is anything else.</exception>
        public static ServerKey FromHex(string text)
        {
            text = text.Trim();
            byte[] bytes = new byte[Length];
            bool isValid = text.Length == 2 * Length;
            for (int i = 0; isValid && i < Length; i++)
            {
                string digits = text.Substring(2 * i, 2);
                isValid = byte.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out bytes[i]);
            }
            if (!isValid)
                throw new FormatException("invalid key: expected 64 hexadecimal digits");
            return new ServerKey(bytes);
        }

        /// <summary>Returns the 64 hexadecimal digits of the key.</summary>
        public string ToHex()
        {
            return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
        }

        /// <summary>Makes the key of the client with this token. The token of a client that has the server's key itself is
        /// empty. A game's backend chooses a token for each player and sends it the result over HTTPS.</summary>
        /// <param name="token">Up to 255 bytes, such as the id of a player. They are not secret.</param>
        /// <exception cref="ArgumentException">The token is too long.</exception>
        public ClientKey ClientKey(byte[] token)
        {
            return new ClientKey(token, Secret(token));
        }

        /// <summary>Makes the key of the client whose token is this text in UTF-8.</summary>
        public ClientKey ClientKey(string token)
        {
            return ClientKey(Encoding.UTF8.GetBytes(token));
        }

        internal byte[] Secret(byte[] token)
        {
            return Sha256.Hmac(bytes, Encoding.ASCII.GetBytes("gamewire-records token"), token);
        }
    }

    /// <summary>The key of a client: its token, and the secret that belongs to the token.</summary>
    public sealed class ClientKey
    {
        /// <summary>Maximum bytes of a token.</summary>
        public const int MaxTokenBytes = 255;

        private readonly byte[] token;
        private readonly byte[] secret;

        /// <summary>Creates a key from a token and the secret that the backend returned with it.</summary>
        /// <exception cref="ArgumentException">The token is too long, or the secret has not 32 bytes.</exception>
        public ClientKey(byte[] token, byte[] secret)
        {
            if (token == null || token.Length > MaxTokenBytes)
                throw new ArgumentException("invalid token: expected at most 255 bytes", "token");
            if (secret == null || secret.Length != ServerKey.Length)
                throw new ArgumentException("invalid secret: expected 32 bytes", "secret");
            this.token = (byte[])token.Clone();
            this.secret = (byte[])secret.Clone();
        }

        /// <summary>Returns a copy of the token.</summary>
        public byte[] GetToken()
        {
            return (byte[])token.Clone();
        }

        /// <summary>Returns a copy of the secret, which must reach the client over an encrypted connection.</summary>
        public byte[] GetSecret()
        {
            return (byte[])secret.Clone();
        }
    }

    /// <summary>A source of secret random bytes.</summary>
    internal interface IRandom
    {
        byte[] Next(int count);
    }

    /// <summary>The generator of the system.</summary>
    internal sealed class SystemRandom : IRandom
    {
        internal static readonly SystemRandom Instance = new SystemRandom();
        private readonly RandomNumberGenerator generator = RandomNumberGenerator.Create();

        public byte[] Next(int count)
        {
            byte[] bytes = new byte[count];
            generator.GetBytes(bytes);
            return bytes;
        }
    }
}
