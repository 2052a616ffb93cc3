using System.Text;
using Gamewire.WebSockets;

namespace Gamewire.Tests
{
    /// <summary>Upgrade requests and their answers.</summary>
    public static class UpgradeTests
    {
        internal const string Good = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";

        private static string Answer(string head, params string[] origins)
        {
            byte[] bytes = Encoding.ASCII.GetBytes(head + "\r\n");
            Check.Equal(bytes.Length, UpgradeRequest.HeadLength(bytes, bytes.Length), "length of the head");
            Check.Equal(0, UpgradeRequest.HeadLength(bytes, bytes.Length - 1), "length of an incomplete head");
            bool isAccepted;
            string answer = Encoding.ASCII.GetString(UpgradeRequest.Parse(bytes, bytes.Length).Answer(origins, out isAccepted));
            Check.Equal(isAccepted, answer.StartsWith("HTTP/1.1 101 "), "accepted");
            return answer;
        }

        private static void Refused(string status, string head)
        {
            string answer = Answer(head);
            Check.That(answer.StartsWith("HTTP/1.1 " + status), status + " for " + head + ": " + answer);
        }

        public static void TheKeyOfTheSpecificationIsAccepted()
        {
            string answer = Answer(Good);
            Check.That(answer.Contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), answer);
        }

        public static void OtherRequestsAreRefused()
        {
            Refused("400", Good.Replace("GET", "POST"));
            Refused("400", Good.Replace("HTTP/1.1", "HTTP/1.0"));
            Refused("400", Good.Replace("GET / ", "GET http://a/ "));
            Refused("400", Good + "no colon\r\n");
            Refused("400", Good + " folded: line\r\n");
            Refused("400", Good.Replace("dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ="));
            Refused("400", Good + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
            Refused("426", Good.Replace("Upgrade: websocket\r\n", ""));
            Refused("426", Good.Replace("keep-alive, Upgrade", "keep-alive"));
            Refused("426", Good.Replace("Version: 13", "Version: 8"));
            StringBuilder many = new StringBuilder(Good);
            for (int i = 0; i < 64; i++)
                many.Append("a: b\r\n");
            Refused("400", many.ToString());
        }

        public static void PagesAreAllowedByTheirOrigin()
        {
            string page = Good + "Origin: https://game.example\r\n";
            Check.That(Answer(page).StartsWith("HTTP/1.1 403"), "another page without a list");
            Check.That(Answer(page, "https://other.example").StartsWith("HTTP/1.1 403"), "another page");
            Check.That(Answer(page, "https://game.example").StartsWith("HTTP/1.1 101"), "the page in the list");
            Check.That(Answer(page, "*").StartsWith("HTTP/1.1 101"), "every page");
            Check.That(Answer(Good + "Origin: http://localhost:8080\r\n").StartsWith("HTTP/1.1 101"), "a page of this machine");
            Check.That(Answer(Good + "Origin: http://localhost.evil.example\r\n").StartsWith("HTTP/1.1 403"), "a similar name");
            Check.That(Answer(Good + "Origin: null\r\n").StartsWith("HTTP/1.1 403"), "a page without an origin");
        }
    }
}
