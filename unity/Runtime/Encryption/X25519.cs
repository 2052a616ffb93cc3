using System;

namespace Gamewire.Encryption
{
    /// <summary>X25519 (RFC 7748). No branch and no index depends on the secret. The time of a multiplication of 64-bit
    /// numbers must not depend on their values, which holds for current 64-bit processors; some small 32-bit ones have
    /// multiplications of variable time.</summary>
    internal sealed class X25519
    {
        internal const int KeyBytes = 32;
        private const int Digits = 10;

        private readonly long[] product = new long[2 * Digits - 1];

        /// <summary>Returns the public key of a secret key.</summary>
        internal static byte[] PublicKey(byte[] secret)
        {
            byte[] basePoint = new byte[KeyBytes];
            basePoint[0] = 9;
            return new X25519().Multiply(secret, basePoint);
        }

        /// <summary>Returns the shared secret, or null if the peer's public key is a point of small order, which has no
        /// secret.</summary>
        internal static byte[] SharedSecret(byte[] secret, byte[] publicKey)
        {
            byte[] shared = new X25519().Multiply(secret, publicKey);
            return Bytes.AreEqual(shared, 0, new byte[KeyBytes], 0, KeyBytes) ? null : shared;
        }

        /// <summary>The Montgomery ladder of RFC 7748, section 5.</summary>
        private byte[] Multiply(byte[] secret, byte[] point)
        {
            byte[] scalar = (byte[])secret.Clone();
            scalar[0] &= 248;
            scalar[31] = (byte)(scalar[31] & 127 | 64);
            long[] x1 = Read(point);
            long[] x2 = One(), z2 = new long[Digits], x3 = (long[])x1.Clone(), z3 = One();
            long[] a = new long[Digits], b = new long[Digits], c = new long[Digits], d = new long[Digits];
            long[] e = new long[Digits];
            int swap = 0;
            for (int i = 254; i >= 0; i--)
            {
                int bit = scalar[i / 8] >> (i % 8) & 1;
                Swap(swap ^ bit, x2, x3);
                Swap(swap ^ bit, z2, z3);
                swap = bit;
                Add(a, x2, z2);
                Subtract(b, x2, z2);
                Add(c, x3, z3);
                Subtract(d, x3, z3);
                Multiply(d, d, a);
                Multiply(c, c, b);
                Multiply(a, a, a);
                Multiply(b, b, b);
                Add(x3, d, c);
                Multiply(x3, x3, x3);
                Subtract(z3, d, c);
                Multiply(z3, z3, z3);
                Multiply(z3, z3, x1);
                Multiply(x2, a, b);
                Subtract(e, a, b);
                MultiplySmall(z2, e, 121665);
                Add(z2, z2, a);
                Multiply(z2, z2, e);
            }
            Swap(swap, x2, x3);
            Swap(swap, z2, z3);
            Invert(z2);
            Multiply(x2, x2, z2);
            return Write(x2);
        }

        private static long[] One()
        {
            long[] one = new long[Digits];
            one[0] = 1;
            return one;
        }

        /// <summary>Number of bits before a digit: digits have 26 and 25 bits in turn.</summary>
        private static int Position(int digit)
        {
            return (51 * digit + 1) / 2;
        }

        private static int Bits(int digit)
        {
            return 26 - (digit & 1);
        }

        private static long[] Read(byte[] point)
        {
            long[] number = new long[Digits];
            for (int i = 0; i < Digits; i++)
            {
                int position = Position(i);
                long value = 0;
                for (int j = 0; j < 5 && position / 8 + j < KeyBytes; j++)
                    value |= (long)point[position / 8 + j] << (8 * j);
                number[i] = value >> (position % 8) & (1L << Bits(i)) - 1;
            }
            return number;
        }

        /// <summary>Writes the number that is smaller than the prime.</summary>
        private static byte[] Write(long[] number)
        {
            long quotient = 19 * number[9] + (1L << 24) >> 25;
            for (int i = 0; i < Digits; i++)
                quotient = number[i] + quotient >> Bits(i);
            number[0] += 19 * quotient;
            for (int i = 0; i < Digits; i++)
            {
                long carry = number[i] >> Bits(i);
                number[i] -= carry << Bits(i);
                // The carry of the last digit is 2^255 times the quotient, which is subtracted.
                if (i + 1 < Digits)
                    number[i + 1] += carry;
            }
            byte[] bytes = new byte[KeyBytes];
            for (int i = 0; i < Digits; i++)
            {
                int position = Position(i);
                ulong value = (ulong)number[i] << (position % 8);
                for (int j = 0; j < 5 && position / 8 + j < KeyBytes; j++)
                    bytes[position / 8 + j] |= (byte)(value >> (8 * j));
            }
            return bytes;
        }

        /// <summary>Exchanges two numbers if <paramref name="swap"/> is 1.</summary>
        private static void Swap(int swap, long[] one, long[] two)
        {
            long mask = -(long)swap;
            for (int i = 0; i < Digits; i++)
            {
                long difference = mask & (one[i] ^ two[i]);
                one[i] ^= difference;
                two[i] ^= difference;
            }
        }

        private static void Add(long[] result, long[] one, long[] two)
        {
            for (int i = 0; i < Digits; i++)
                result[i] = one[i] + two[i];
        }

        private static void Subtract(long[] result, long[] one, long[] two)
        {
            for (int i = 0; i < Digits; i++)
                result[i] = one[i] - two[i];
        }

        /// <summary>Multiplies. The digits of both factors may have one bit more than those of a product.</summary>
        private void Multiply(long[] result, long[] one, long[] two)
        {
            long[] sums = product;
            Array.Clear(sums, 0, sums.Length);
            for (int i = 0; i < Digits; i++)
            {
                long even = one[i];
                // Two digits of 25 bits meet at a place that is one bit too low.
                long odd = (i & 1) == 0 ? even : 2 * even;
                for (int j = 0; j < Digits; j += 2)
                {
                    sums[i + j] += even * two[j];
                    sums[i + j + 1] += odd * two[j + 1];
                }
            }
            // 2^255 is 19 modulo the prime.
            for (int i = 0; i < Digits - 1; i++)
                sums[i] += 19 * sums[i + Digits];
            Carry(result, sums);
        }

        private void MultiplySmall(long[] result, long[] one, long factor)
        {
            for (int i = 0; i < Digits; i++)
                product[i] = one[i] * factor;
            Carry(result, product);
        }

        /// <summary>Makes digits of at most 25 or 24 bits and a sign.</summary>
        private static void Carry(long[] result, long[] sums)
        {
            long carry = 0;
            for (int i = 0; i < Digits; i++)
            {
                long value = sums[i] + carry;
                carry = value + (1L << (Bits(i) - 1)) >> Bits(i);
                result[i] = value - (carry << Bits(i));
            }
            result[0] += 19 * carry;
            carry = result[0] + (1L << 25) >> 26;
            result[0] -= carry << 26;
            result[1] += carry;
        }

        /// <summary>Computes the power with the exponent 2^255 - 21, which has zeros in bits 2 and 4 only.</summary>
        private void Invert(long[] number)
        {
            long[] power = (long[])number.Clone();
            for (int bit = 253; bit >= 0; bit--)
            {
                Multiply(power, power, power);
                if (bit != 2 && bit != 4)
                    Multiply(power, power, number);
            }
            Array.Copy(power, number, Digits);
        }
    }
}
