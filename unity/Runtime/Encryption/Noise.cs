using System;
using System.Text;

namespace Gamewire.Encryption
{
    /// <summary>The keys of a session.</summary>
    internal struct SessionKeys
    {
        internal byte[] Client;
        internal byte[] Server;
    }

    /// <summary>The symmetric state of <c>Noise_NNpsk0_25519_ChaChaPoly_SHA256</c> (Noise, revision 34). Each of its keys
    /// encrypts one text, so the nonce is always 0.</summary>
    internal sealed class Noise
    {
        /// <summary>Bytes of the first message: a public key and a tag.</summary>
        internal const int FirstBytes = X25519.KeyBytes + Aead.TagBytes;
        /// <summary>Bytes of the second message: a public key, the encrypted connection id and a tag.</summary>
        internal const int SecondBytes = X25519.KeyBytes + IdBytes + Aead.TagBytes;
        private const int IdBytes = 4;

        private static readonly byte[] Name = Encoding.ASCII.GetBytes("Noise_NNpsk0_25519_ChaChaPoly_SHA256");
        private static readonly byte[] Prologue = Encoding.ASCII.GetBytes("gamewire-records 1");

        private byte[] key;
        private byte[] chainingKey;
        private byte[] hash;

        private Noise() { }

        private Noise(byte[] secret)
        {
            chainingKey = hash = Sha256.Hash(Name);
            MixHash(Prologue);
            byte[][] outputs = Sha256.Hkdf(chainingKey, secret);
            chainingKey = outputs[0];
            key = outputs[2];
            MixHash(outputs[1]);
        }

        /// <summary>Begins the client's side, and returns its message.</summary>
        internal static Noise Initiate(byte[] secret, byte[] ephemeral, out byte[] message)
        {
            Noise state = new Noise(secret);
            message = new byte[FirstBytes];
            Buffer.BlockCopy(X25519.PublicKey(ephemeral), 0, message, 0, X25519.KeyBytes);
            state.MixPublic(Bytes.Slice(message, 0, X25519.KeyBytes));
            state.Seal(message, X25519.KeyBytes, 0);
            return state;
        }

        /// <summary>Ends the client's side with the server's message. The state stays as it was, because the message may be
        /// forged.</summary>
        /// <returns>False if it is not genuine.</returns>
        internal bool TryFinish(byte[] ephemeral, byte[] message, out uint id, out SessionKeys keys)
        {
            Noise state = new Noise { key = key, chainingKey = chainingKey, hash = hash };
            byte[] copy = (byte[])message.Clone();
            byte[] publicKey = Bytes.Slice(message, 0, X25519.KeyBytes);
            byte[] shared = X25519.SharedSecret(ephemeral, publicKey);
            id = 0;
            keys = new SessionKeys();
            if (shared == null)
                return false;
            state.MixPublic(publicKey);
            state.MixKey(shared);
            if (!state.Open(copy, X25519.KeyBytes, IdBytes))
                return false;
            id = Bytes.ReadUInt(copy, X25519.KeyBytes);
            keys = state.Split();
            return true;
        }

        /// <summary>Begins the server's side with a client's message. Nothing is computed on the curve yet.</summary>
        /// <returns>Null if the client has another key.</returns>
        internal static Noise Respond(byte[] secret, byte[] message)
        {
            Noise state = new Noise(secret);
            state.MixPublic(Bytes.Slice(message, 0, X25519.KeyBytes));
            return state.Open((byte[])message.Clone(), X25519.KeyBytes, 0) ? state : null;
        }

        /// <summary>Ends the server's side.</summary>
        /// <returns>The server's message, or null if the client's public key has no shared secret.</returns>
        internal byte[] Finish(byte[] clientPublic, uint id, byte[] ephemeral, out SessionKeys keys)
        {
            keys = new SessionKeys();
            byte[] shared = X25519.SharedSecret(ephemeral, clientPublic);
            if (shared == null)
                return null;
            byte[] message = new byte[SecondBytes];
            byte[] publicKey = X25519.PublicKey(ephemeral);
            Buffer.BlockCopy(publicKey, 0, message, 0, X25519.KeyBytes);
            Bytes.WriteUInt(message, X25519.KeyBytes, id);
            MixPublic(publicKey);
            MixKey(shared);
            Seal(message, X25519.KeyBytes, IdBytes);
            keys = Split();
            return message;
        }

        private void MixHash(byte[] data)
        {
            hash = Sha256.Hash(hash, data);
        }

        private void MixKey(byte[] material)
        {
            byte[][] outputs = Sha256.Hkdf(chainingKey, material);
            chainingKey = outputs[0];
            key = outputs[1];
        }

        /// <summary>The token <c>e</c> of a handshake with a pre-shared key.</summary>
        private void MixPublic(byte[] publicKey)
        {
            MixHash(publicKey);
            MixKey(publicKey);
        }

        private void Seal(byte[] message, int offset, int count)
        {
            new Aead(key).Seal(0, hash, hash.Length, message, offset, count);
            MixHash(Bytes.Slice(message, offset, count + Aead.TagBytes));
        }

        private bool Open(byte[] message, int offset, int count)
        {
            byte[] encrypted = Bytes.Slice(message, offset, count + Aead.TagBytes);
            bool isGenuine = new Aead(key).Open(0, hash, hash.Length, message, offset, count);
            MixHash(encrypted);
            return isGenuine;
        }

        private SessionKeys Split()
        {
            byte[][] outputs = Sha256.Hkdf(chainingKey, new byte[0]);
            return new SessionKeys { Client = outputs[0], Server = outputs[1] };
        }
    }
}
