using System;

namespace Gamewire.Encryption
{
    /// <summary>The records of one session, of either role.</summary>
    internal sealed class RecordCipher
    {
        /// <summary>Forged records after which a session ends (RFC 9001, section 6.6).</summary>
        private const ulong MaxForged = 1UL << 36;

        internal readonly uint Id;
        /// <summary>Counter of the next record to send.</summary>
        internal ulong Next;
        private readonly Aead sealing;
        private readonly Aead opening;
        private readonly ReplayWindow window = new ReplayWindow();
        private byte[] record = new byte[0];
        private ulong forged;

        internal RecordCipher(uint id, SessionKeys keys, bool isClient)
        {
            Id = id;
            sealing = new Aead(isClient ? keys.Client : keys.Server);
            opening = new Aead(isClient ? keys.Server : keys.Client);
        }

        /// <summary>Whether the session has ended, because its counters are used or too many records were forged.</summary>
        internal bool IsExhausted
        {
            get { return Next > Wire.MaxCounter || forged >= MaxForged; }
        }

        /// <summary>Encrypts a packet.</summary>
        /// <param name="kind"><see cref="Wire.Data"/> or <see cref="Wire.Control"/>.</param>
        /// <param name="packet">The packet.</param>
        /// <param name="count">Its bytes.</param>
        /// <param name="length">Bytes of the record.</param>
        /// <returns>The record, in an array that is reused; null if the session is exhausted.</returns>
        internal byte[] Seal(byte kind, byte[] packet, int count, out int length)
        {
            length = count + Wire.OverheadBytes;
            if (IsExhausted)
                return null;
            if (record.Length < length)
                record = new byte[length];
            record[0] = kind;
            Bytes.WriteUInt(record, 1, Id);
            Bytes.WriteUInt(record, 5, (uint)Next);
            record[9] = (byte)(Next >> 32);
            record[10] = (byte)(Next >> 40);
            Buffer.BlockCopy(packet, 0, record, Wire.HeaderBytes, count);
            sealing.Seal(Next, record, Wire.HeaderBytes, record, Wire.HeaderBytes, count);
            Next++;
            return record;
        }

        /// <summary>Decrypts a record in place.</summary>
        /// <param name="datagram">A datagram that <see cref="Wire.Check"/> accepted.</param>
        /// <param name="count">Its bytes.</param>
        /// <param name="isHighest">Whether its counter is higher than all before.</param>
        /// <returns><see cref="Outcome.Packet"/> if it is genuine and new.</returns>
        internal Outcome Open(byte[] datagram, int count, out bool isHighest)
        {
            ulong counter = Wire.ReadCounter(datagram);
            isHighest = window.IsHighest(counter);
            if (!window.IsNew(counter))
                return Outcome.Replayed;
            int text = count - Wire.OverheadBytes;
            if (!opening.Open(counter, datagram, Wire.HeaderBytes, datagram, Wire.HeaderBytes, text))
            {
                forged++;
                return Outcome.Forged;
            }
            window.Mark(counter);
            return Outcome.Packet;
        }
    }

    /// <summary>The counters of received records: each is accepted once, in any order, within 1,024 of the highest one.</summary>
    internal sealed class ReplayWindow
    {
        private const int Size = 1024;

        private readonly bool[] seen = new bool[Size];
        /// <summary>The highest counter plus 1; 0 before the first record.</summary>
        private ulong next;

        internal bool IsHighest(ulong counter)
        {
            return counter >= next;
        }

        internal bool IsNew(ulong counter)
        {
            return counter >= next || next - 1 - counter < Size && !seen[counter % Size];
        }

        internal void Mark(ulong counter)
        {
            if (counter >= next)
            {
                if (counter - next >= Size)
                    Array.Clear(seen, 0, Size);
                else
                    for (ulong skipped = next; skipped < counter; skipped++)
                        seen[skipped % Size] = false;
                next = counter + 1;
            }
            seen[counter % Size] = true;
        }
    }
}
