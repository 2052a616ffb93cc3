using System;
using System.IO;
using System.Text;
using Gamewire.Encryption;

namespace Gamewire.Tests
{
    /// <summary>The primitives of the record layer against the vectors of their standards, and against OpenSSL.</summary>
    public static class PrimitiveTests
    {
        public static void Sha256HasTheHashesOfItsStandard()
        {
            string[,] hashes =
            {
                { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
                { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
                {
                    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
                },
                { new string('a', 1000000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
            };
            for (int i = 0; i < hashes.GetLength(0); i++)
                Check.Bytes(Vectors.Hex(hashes[i, 1]), Sha256.Hash(Encoding.ASCII.GetBytes(hashes[i, 0])), "hash " + i);
        }

        public static void HmacHasTheCodesOfRfc4231()
        {
            byte[] key = Encoding.ASCII.GetBytes("Jefe");
            byte[] code = Sha256.Hmac(key, Encoding.ASCII.GetBytes("what do ya want "), Encoding.ASCII.GetBytes("for nothing?"));
            Check.Bytes(Vectors.Hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"), code, "case 2");
        }

        public static void ChaCha20HasTheBlockOfRfc8439()
        {
            byte[] key = new byte[32];
            for (int i = 0; i < 32; i++)
                key[i] = (byte)i;
            ChaCha20 cipher = new ChaCha20(key);
            cipher.SetNonce(0x09000000, 0x4a000000, 0);
            const string Block = "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
                + "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e";
            Check.Bytes(Vectors.Hex(Block), cipher.Block(1), "section 2.3.2");
        }

        /// <summary>RFC 8439, appendix A.3, cases 7 to 11: carries and reductions at their limits.</summary>
        public static void Poly1305HasTheTagsOfRfc8439()
        {
            string ones = new string('f', 32);
            string[,] cases =
            {
                { "02", "", ones, "03" },
                { "02", ones, "02", "03" },
                { "01", "", ones + "f0" + new string('f', 30) + "11", "05" },
                { "01", "", ones + "fbfefefefefefefefefefefefefefefe" + "01010101010101010101010101010101", "" },
                { "02", "", "fd" + new string('f', 30), "fa" + new string('f', 30) },
                {
                    "0100000000000000 04", "",
                    "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000"
                        + "0000000000000000000000000000000001",
                    "1400000000000000 5500000000000000"
                },
                {
                    "0100000000000000 04", "",
                    "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000" + "00000000000000000000000000000000",
                    "13"
                },
            };
            for (int i = 0; i < cases.GetLength(0); i++)
            {
                byte[] key = new byte[32];
                Vectors.Hex(cases[i, 0]).CopyTo(key, 0);
                Vectors.Hex(cases[i, 1]).CopyTo(key, 16);
                byte[] message = Vectors.Hex(cases[i, 2]);
                byte[] expected = new byte[16];
                Vectors.Hex(cases[i, 3]).CopyTo(expected, 0);
                Poly1305 authenticator = new Poly1305();
                authenticator.Begin(key);
                authenticator.AddPadded(message, 0, message.Length);
                byte[] tag = new byte[16];
                authenticator.Finish(tag, 0);
                Check.Bytes(expected, tag, "tag " + i);
            }
        }

        public static void X25519HasTheResultsOfRfc7748()
        {
            byte[] secret = Vectors.Hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4");
            byte[] point = Vectors.Hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c");
            byte[] result = Vectors.Hex("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552");
            Check.Bytes(result, X25519.SharedSecret(secret, point), "section 5.2, first");
            secret = Vectors.Hex("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d");
            point = Vectors.Hex("e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493");
            result = Vectors.Hex("95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957");
            Check.Bytes(result, X25519.SharedSecret(secret, point), "section 5.2, second");
            byte[] k = new byte[32];
            k[0] = 9;
            byte[] u = k;
            for (int i = 0; i < 1000; i++)
            {
                byte[] next = X25519.SharedSecret(k, u);
                u = k;
                k = next;
                if (i == 0)
                    Check.Bytes(Vectors.Hex("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"), k, "once");
            }
            Check.Bytes(Vectors.Hex("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"), k, "1,000 times");
        }

        /// <summary>Diffie-Hellman of RFC 7748, section 6.1, and points of small order.</summary>
        public static void PointsOfSmallOrderHaveNoSharedSecret()
        {
            byte[] bob = Vectors.Hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
            byte[] bobPublic = Vectors.Hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
            Check.Bytes(bobPublic, X25519.PublicKey(bob), "public key");
            byte[] alicePublic = Vectors.Hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
            byte[] shared = Vectors.Hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
            Check.Bytes(shared, X25519.SharedSecret(bob, alicePublic), "shared secret");
            string[] points =
            {
                "0000000000000000000000000000000000000000000000000000000000000000",
                "0100000000000000000000000000000000000000000000000000000000000000",
                "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
                "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            };
            foreach (string point in points)
                Check.That(X25519.SharedSecret(bob, Vectors.Hex(point)) == null, "no secret with " + point);
        }

        public static void TheAeadHasTheResultOfRfc8439()
        {
            // Appendix A.5: the key, the key of the tag, and the text, whose nonce begins with four zeros as those of Noise.
            byte[] key = Vectors.Hex("1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0");
            ChaCha20 cipher = new ChaCha20(key);
            cipher.SetNonce(0, 0x04030201, 0x08070605);
            byte[] oneTime = new byte[32];
            Buffer.BlockCopy(cipher.Block(0), 0, oneTime, 0, 32);
            byte[] expected = Vectors.Hex("bdf04aa95ce4de8995b14bb6a18fecaf26478f50c054f563dbc0a21e261572aa");
            Check.Bytes(expected, oneTime, "the key of the tag");
            byte[] associated = Vectors.Hex("f33388860000000000004e91");
            byte[] sealedText = Vectors.Hex(
                "64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb24c6cfc18755d43eea09ee94e382d26b0bdb7b73c"
                + "321b0100d4f03b7f355894cf332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c8559797a06ef4f0ef61c186"
                + "324e2b3506383606907b6a7c02b0f9f6157b53c867e4b9166c767b804d46a59b5216cde7a4e99040c5a40433225ee282a1b0a06c523e"
                + "af4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a0bb2316053fa76991955ebd63159434ecebb4e466dae"
                + "5a1073a6727627097a1049e617d91d361094fa68f0ff77987130305beaba2eda04df997b714d6c6f2c29a6ad5cb4022b02709b"
                + "eead9d67890cbb22392336fea1851f38");
            int count = sealedText.Length - 16;
            Check.That(new Aead(key).Open(0x0807060504030201, associated, associated.Length, sealedText, 0, count), "genuine");
            string text = Encoding.UTF8.GetString(sealedText, 0, count);
            Check.That(text.StartsWith("Internet-Drafts are draft documents valid for"), "text: " + text);
            Check.That(text.EndsWith("/\u201cwork in progress./\u201d"), "text: " + text);
        }

        public static void AllLengthsAndEdgesAreThoseOfOpenSsl()
        {
            int count = 0;
            foreach (string line in File.ReadAllLines(Vectors.Path("primitives.txt")))
            {
                string[] words = line.Split(' ');
                byte[][] fields = Array.ConvertAll(words, word => word == words[0] ? null : Vectors.Hex(word));
                byte[] expected = fields[fields.Length - 1];
                string what = "line " + ++count;
                if (words[0] == "x25519")
                    Check.Bytes(expected, X25519.SharedSecret(fields[1], fields[2]), what);
                else if (words[0] == "hmac")
                    Check.Bytes(expected, Sha256.Hmac(fields[1], fields[2]), what);
                else
                    CheckAead(fields, expected, what);
            }
            Check.Equal(358, count, "lines");
        }

        private static void CheckAead(byte[][] fields, byte[] expected, string what)
        {
            byte[] associated = fields[3];
            byte[] text = fields[4];
            byte[] buffer = new byte[text.Length + 16 + 3];
            text.CopyTo(buffer, 3);
            Aead aead = new Aead(fields[1]);
            ulong counter = BitConverter.ToUInt64(fields[2], 0);
            aead.Seal(counter, associated, associated.Length, buffer, 3, text.Length);
            byte[] result = Gamewire.Encryption.Bytes.Slice(buffer, 3, text.Length + 16);
            Check.Bytes(expected, result, what);
            result[result.Length - 1 - text.Length % result.Length] ^= 4;
            Check.That(!aead.Open(counter, associated, associated.Length, result, 0, text.Length), what + ", altered");
            Check.That(aead.Open(counter, associated, associated.Length, buffer, 3, text.Length), what + ", genuine");
            Check.Bytes(text, Gamewire.Encryption.Bytes.Slice(buffer, 3, text.Length), what + ", decrypted");
        }
    }
}
