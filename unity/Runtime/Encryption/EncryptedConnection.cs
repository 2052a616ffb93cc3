#if !UNITY_WEBGL || UNITY_EDITOR
using System.Net;
using Riptide;

namespace Gamewire.Encryption
{
    /// <summary>The connection of a client to an <see cref="EncryptedUdpServer"/>. It stays the same while the client's
    /// address changes.</summary>
    public sealed class EncryptedConnection : Connection
    {
        private readonly RecordServer server;
        internal readonly RecordSession Session;

        internal EncryptedConnection(RecordServer server, RecordSession session)
        {
            this.server = server;
            Session = session;
            // A change of the network takes seconds, in which all packets are lost. Only the timeout ends the connection.
            CanQualityDisconnect = false;
        }

        /// <summary>The address of the client now. The client has proven that it receives there.</summary>
        public IPEndPoint RemoteEndPoint
        {
            get { return new IPEndPoint(Wire.Canonical(Session.Address.Address), Session.Address.Port); }
        }

        /// <summary>Returns the token that the client has proven, such as the id of a player. It is empty if the client has
        /// the server's key itself.</summary>
        public byte[] GetToken()
        {
            return (byte[])Session.Token.Clone();
        }

        /// <summary>Sends a packet in a record.</summary>
        protected override void Send(byte[] dataBuffer, int amount)
        {
            server.Send(Session, dataBuffer, amount);
        }

        /// <summary>Returns the address of the client.</summary>
        public override string ToString()
        {
            return RemoteEndPoint.ToString();
        }
    }

    /// <summary>The connection of an <see cref="EncryptedUdpClient"/> to its server.</summary>
    internal sealed class EncryptedClientConnection : Connection
    {
        private readonly EncryptedUdpClient client;
        private readonly string address;

        internal EncryptedClientConnection(EncryptedUdpClient client, string address)
        {
            this.client = client;
            this.address = address;
            CanQualityDisconnect = false;
        }

        protected override void Send(byte[] dataBuffer, int amount)
        {
            client.Send(this, dataBuffer, amount);
        }

        public override string ToString()
        {
            return address;
        }
    }
}
#endif
