using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;

namespace Gamewire.Encryption
{
    /// <summary>The handshakes of a <see cref="RecordServer"/>, and its sessions that have no record yet.</summary>
    internal sealed class RecordHandshakes
    {
        private const int CookiePeriod = 10000;
        private const int Timeout = 5000;
        private const int Max = 256;
        private const int MaxPerNetwork = 32;

        private readonly RecordServer server;
        private readonly ServerKey key;
        private readonly IRandom random;
        private readonly byte[] cookieSecret;
        /// <summary>The sessions without a record, oldest first.</summary>
        private readonly List<RecordSession> halfOpen = new List<RecordSession>();

        internal RecordHandshakes(RecordServer server, ServerKey key, IRandom random)
        {
            this.server = server;
            this.key = key;
            this.random = random;
            cookieSecret = random.Next(Sha256.HashBytes);
        }

        /// <summary>Answers a request with a cookie, which proves the client's address later. Nothing is stored.</summary>
        internal void OnRequest(long now, IPEndPoint from, byte[] datagram)
        {
            byte[] nonce = Bytes.Slice(datagram, 2, Wire.NonceBytes);
            server.Reply(from, Wire.Join(new[] { Wire.Retry }, nonce, MakeCookie(now / CookiePeriod, from, nonce)));
        }

        private byte[] MakeCookie(long period, IPEndPoint from, byte[] nonce)
        {
            byte[] time = new byte[8];
            Bytes.WriteULong(time, 0, (ulong)period);
            byte[] port = { (byte)from.Port, (byte)(from.Port >> 8) };
            byte[] ip = Wire.Canonical(from.Address).MapToIPv6().GetAddressBytes();
            return Bytes.Slice(Sha256.Hmac(cookieSecret, time, ip, port, nonce), 0, Wire.CookieBytes);
        }

        private bool HasValidCookie(long now, IPEndPoint from, byte[] nonce, byte[] datagram)
        {
            bool isValid = false;
            for (int age = 0; age < 2; age++)
            {
                byte[] cookie = MakeCookie(now / CookiePeriod - age, from, nonce);
                isValid |= Bytes.AreEqual(cookie, 0, datagram, 2 + Wire.NonceBytes, Wire.CookieBytes);
            }
            return isValid;
        }

        /// <summary>Answers an initiation. The key is checked before anything is computed on the curve.</summary>
        internal Outcome OnInitiation(long now, IPEndPoint from, byte[] datagram, int count)
        {
            byte[] nonce = Bytes.Slice(datagram, 2, Wire.NonceBytes);
            if (!HasValidCookie(now, from, nonce, datagram))
                return Outcome.WrongCookie;
            byte[] message = Bytes.Slice(datagram, Wire.InitiationBytes - Noise.FirstBytes, Noise.FirstBytes);
            byte[] clientPublic = Bytes.Slice(message, 0, X25519.KeyBytes);
            RecordSession session = halfOpen.Find(one => one.IsRepeated(from, clientPublic));
            if (session == null)
            {
                byte[] token = Bytes.Slice(datagram, Wire.InitiationBytes, count - Wire.InitiationBytes);
                Noise responder = Noise.Respond(key.Secret(token), message);
                if (responder == null)
                    return Outcome.WrongKey;
                Outcome outcome = MakeRoom(from);
                if (outcome != Outcome.Handled)
                    return outcome;
                session = Create(now, from, responder, clientPublic, token);
                if (session == null)
                    return Outcome.Malformed;
            }
            server.Reply(from, Wire.Join(new[] { Wire.Response }, nonce, session.Response));
            return Outcome.Handled;
        }

        private Outcome MakeRoom(IPEndPoint from)
        {
            string network = Network(from.Address);
            if (halfOpen.FindAll(one => Network(one.Address.Address) == network).Count >= MaxPerNetwork)
                return Outcome.Full;
            if (server.SessionCount < server.MaxSessions && halfOpen.Count < Max)
                return Outcome.Handled;
            if (halfOpen.Count == 0)
                return Outcome.Full;
            server.Close(halfOpen[0]);
            return Outcome.Handled;
        }

        /// <summary>Creates a session; returns null if the client's public key has no shared secret.</summary>
        private RecordSession Create(long now, IPEndPoint from, Noise responder, byte[] clientPublic, byte[] token)
        {
            uint id;
            do
                id = Bytes.ReadUInt(random.Next(4), 0);
            while (server.Has(id));
            SessionKeys keys;
            byte[] response = responder.Finish(clientPublic, id, random.Next(X25519.KeyBytes), out keys);
            if (response == null)
                return null;
            RecordSession session = new RecordSession
            {
                Cipher = new RecordCipher(id, keys, false),
                Token = token,
                Address = from,
                LastReceived = now,
                ClientPublic = clientPublic,
                Response = response,
            };
            server.Add(session);
            halfOpen.Add(session);
            return session;
        }

        /// <summary>Returns the IPv4 address, or the /56 network of IPv6.</summary>
        private static string Network(IPAddress address)
        {
            address = Wire.Canonical(address);
            int count = address.AddressFamily == AddressFamily.InterNetwork ? 4 : 7;
            return BitConverter.ToString(address.GetAddressBytes(), 0, count);
        }

        /// <summary>Forgets the handshake of a session that is open or closed.</summary>
        internal void Remove(RecordSession session)
        {
            halfOpen.Remove(session);
            session.ClientPublic = session.Response = null;
        }

        /// <summary>Closes the sessions that had no record for 5 s.</summary>
        internal void CloseOld(long now)
        {
            while (halfOpen.Count > 0 && now - halfOpen[0].LastReceived >= Timeout)
                server.Close(halfOpen[0]);
        }
    }
}
