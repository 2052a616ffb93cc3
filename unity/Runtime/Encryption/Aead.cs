namespace Gamewire.Encryption
{
    /// <summary>ChaCha20-Poly1305 (RFC 8439, section 2.8) with the nonces of Noise: four zeros and a counter.</summary>
    internal sealed class Aead
    {
        internal const int TagBytes = Poly1305.TagBytes;

        private readonly Poly1305 authenticator = new Poly1305();
        private readonly byte[] tag = new byte[TagBytes];
        private readonly ChaCha20 cipher;

        internal Aead(byte[] key)
        {
            cipher = new ChaCha20(key);
        }

        /// <summary>Encrypts a text in place, and writes its tag after it.</summary>
        internal void Seal(ulong counter, byte[] associated, int associatedCount, byte[] buffer, int offset, int count)
        {
            cipher.SetNonce(0, (uint)counter, (uint)(counter >> 32));
            cipher.Apply(buffer, offset, count);
            Authenticate(associated, associatedCount, buffer, offset, count, buffer, offset + count);
        }

        /// <summary>Decrypts a text in place. Its tag must follow it.</summary>
        /// <returns>False if the tag is wrong. The text is then unchanged.</returns>
        internal bool Open(ulong counter, byte[] associated, int associatedCount, byte[] buffer, int offset, int count)
        {
            cipher.SetNonce(0, (uint)counter, (uint)(counter >> 32));
            Authenticate(associated, associatedCount, buffer, offset, count, tag, 0);
            if (!Bytes.AreEqual(tag, 0, buffer, offset + count, TagBytes))
                return false;
            cipher.Apply(buffer, offset, count);
            return true;
        }

        private void Authenticate(
            byte[] associated, int associatedCount, byte[] buffer, int offset, int count, byte[] output, int outputOffset)
        {
            authenticator.Begin(cipher.Block(0));
            authenticator.AddPadded(associated, 0, associatedCount);
            authenticator.AddPadded(buffer, offset, count);
            authenticator.AddLengths(associatedCount, count);
            authenticator.Finish(output, outputOffset);
        }
    }
}
