using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;

namespace Gamewire.WebSockets
{
    /// <summary>The HTTP request that begins a WebSocket (RFC 6455, section 4).</summary>
    internal sealed class UpgradeRequest
    {
        /// <summary>Maximum bytes and lines of a request's head.</summary>
        internal const int MaxBytes = 8192;
        private const int MaxLines = 64;

        private const string AcceptSalt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

        private string key;
        private string version;
        private bool upgrades;
        private bool connectionUpgrades;
        private bool isMalformed;

        /// <summary>The web page that opens the WebSocket; null for a program.</summary>
        internal string Origin { get; private set; }

        /// <summary>Returns the bytes of the head including the empty line; 0 if it is incomplete.</summary>
        internal static int HeadLength(byte[] bytes, int length)
        {
            for (int i = 3; i < length; i++)
            {
                if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r')
                    return i + 1;
            }
            return 0;
        }

        /// <summary>Parses a complete head. A malformed one gives a request that <see cref="Answer"/> rejects.</summary>
        internal static UpgradeRequest Parse(byte[] bytes, int length)
        {
            UpgradeRequest request = new UpgradeRequest();
            string[] lines = Encoding.ASCII.GetString(bytes, 0, length - 4).Split(new[] { "\r\n" }, StringSplitOptions.None);
            string[] first = lines[0].Split(' ');
            request.isMalformed = lines.Length > MaxLines || first.Length != 3 || first[0] != "GET"
                || !first[1].StartsWith("/", StringComparison.Ordinal) || first[2] != "HTTP/1.1";
            for (int i = 1; i < lines.Length && !request.isMalformed; i++)
                request.AddLine(lines[i]);
            return request;
        }

        private void AddLine(string line)
        {
            int colon = line.IndexOf(':');
            if (colon <= 0 || line[0] == ' ' || line[0] == '\t')
            {
                isMalformed = true;
                return;
            }
            string value = line.Substring(colon + 1).Trim(' ', '\t');
            switch (line.Substring(0, colon).ToLowerInvariant())
            {
                case "upgrade":
                    upgrades |= HasToken(value, "websocket");
                    break;
                case "connection":
                    connectionUpgrades |= HasToken(value, "upgrade");
                    break;
                case "sec-websocket-version":
                    isMalformed |= version != null;
                    version = value;
                    break;
                case "sec-websocket-key":
                    isMalformed |= key != null;
                    key = value;
                    break;
                case "origin":
                    isMalformed |= Origin != null;
                    Origin = value;
                    break;
            }
        }

        private static bool HasToken(string list, string token)
        {
            foreach (string part in list.Split(','))
            {
                if (string.Equals(part.Trim(' ', '\t'), token, StringComparison.OrdinalIgnoreCase))
                    return true;
            }
            return false;
        }

        /// <summary>Returns the response, and whether it accepts the request.</summary>
        internal byte[] Answer(ICollection<string> allowedOrigins, out bool isAccepted)
        {
            isAccepted = false;
            if (isMalformed)
                return Refusal("400 Bad Request", "");
            if (!upgrades || !connectionUpgrades)
                return Refusal("426 Upgrade Required", "Upgrade: websocket\r\n");
            if (version != "13")
                return Refusal("426 Upgrade Required", "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
            if (!IsKey(key))
                return Refusal("400 Bad Request", "");
            if (!IsAllowed(Origin, allowedOrigins))
                return Refusal("403 Forbidden", "");
            isAccepted = true;
            return Encoding.ASCII.GetBytes("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Accept: " + AcceptKey(key) + "\r\n\r\n");
        }

        internal static byte[] Refusal(string status, string lines)
        {
            return Encoding.ASCII.GetBytes(
                "HTTP/1.1 " + status + "\r\n" + lines + "Connection: close\r\nContent-Length: 0\r\n\r\n");
        }

        internal static string AcceptKey(string key)
        {
            using (SHA1 sha = SHA1.Create())
                return Convert.ToBase64String(sha.ComputeHash(Encoding.ASCII.GetBytes(key + AcceptSalt)));
        }

        private static bool IsKey(string key)
        {
            try
            {
                return key != null && key.Length == 24 && Convert.FromBase64String(key).Length == 16;
            }
            catch (FormatException)
            {
                return false;
            }
        }

        /// <summary>Returns whether a page of this origin may connect. Programs send no origin, and are allowed.</summary>
        internal static bool IsAllowed(string origin, ICollection<string> allowed)
        {
            if (origin == null)
                return true;
            if (allowed == null || allowed.Count == 0)
                return IsThisMachine(origin);
            foreach (string one in allowed)
            {
                if (one == "*" || string.Equals(one.TrimEnd('/'), origin, StringComparison.OrdinalIgnoreCase))
                    return true;
            }
            return false;
        }

        private static bool IsThisMachine(string origin)
        {
            Uri uri;
            return Uri.TryCreate(origin, UriKind.Absolute, out uri) && (uri.Scheme == "http" || uri.Scheme == "https")
                && (uri.Host == "localhost" || uri.Host == "127.0.0.1" || uri.Host == "[::1]");
        }
    }
}
