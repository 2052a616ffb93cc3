namespace Gamewire.Encryption
{
    /// <summary>Counters of an encrypted server. Each dropped datagram is in one of those for dropped ones, and changes
    /// nothing else.</summary>
    public sealed class EncryptionStats
    {
        /// <summary>Sessions whose clients have sent a record.</summary>
        public long Opened { get; internal set; }
        /// <summary>Challenges of new addresses.</summary>
        public long Challenges { get; internal set; }
        /// <summary>Sessions that moved to a new address.</summary>
        public long Moved { get; internal set; }
        /// <summary>Sessions that were closed because their token had too many.</summary>
        public long Superseded { get; internal set; }
        /// <summary>Dropped: not a packet of the layer, the wrong length or version, or one that only a client receives.</summary>
        public long Invalid { get; internal set; }
        /// <summary>Dropped: an initiation with an old cookie, or with that of another address.</summary>
        public long WrongCookies { get; internal set; }
        /// <summary>Dropped: a handshake with another key.</summary>
        public long WrongKeys { get; internal set; }
        /// <summary>Dropped: a handshake that exceeds a limit.</summary>
        public long Full { get; internal set; }
        /// <summary>Dropped: a record of a session that does not exist.</summary>
        public long UnknownSessions { get; internal set; }
        /// <summary>Dropped: a record that was received before, or that is too old.</summary>
        public long Replayed { get; internal set; }
        /// <summary>Dropped: a record that was not made with the key of its session.</summary>
        public long Forged { get; internal set; }

        internal void Count(Outcome outcome)
        {
            switch (outcome)
            {
                case Outcome.Handled:
                case Outcome.Packet:
                    break;
                case Outcome.WrongCookie:
                    WrongCookies++;
                    break;
                case Outcome.WrongKey:
                    WrongKeys++;
                    break;
                case Outcome.Full:
                    Full++;
                    break;
                case Outcome.UnknownSession:
                    UnknownSessions++;
                    break;
                case Outcome.Replayed:
                    Replayed++;
                    break;
                case Outcome.Forged:
                    Forged++;
                    break;
                default:
                    Invalid++;
                    break;
            }
        }
    }
}
