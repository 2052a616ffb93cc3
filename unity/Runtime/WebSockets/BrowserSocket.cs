#if UNITY_WEBGL && !UNITY_EDITOR
using System;
using System.Runtime.InteropServices;

namespace Gamewire.WebSockets
{
    /// <summary>A WebSocket of the browser. The functions are in Plugins/WebGL/GamewireWebSocket.jslib.</summary>
    internal sealed class BrowserSocket : ISocket
    {
        private readonly int id;

        internal BrowserSocket(Uri address, int maxMessageBytes)
        {
            id = GamewireWebSocketOpen(address.AbsoluteUri, maxMessageBytes);
        }

        public SocketState State { get { return (SocketState)GamewireWebSocketState(id); } }

        // Browsers hide the reason.
        public string Error { get { return null; } }

        public void Send(byte[] data, int amount)
        {
            GamewireWebSocketSend(id, data, amount);
        }

        public bool TryReceive(byte[] into, out int amount)
        {
            amount = GamewireWebSocketReceive(id, into, into.Length);
            return amount > 0;
        }

        public void Close()
        {
            GamewireWebSocketClose(id);
        }

        [DllImport("__Internal")]
        private static extern int GamewireWebSocketOpen(string address, int maxMessageBytes);

        [DllImport("__Internal")]
        private static extern int GamewireWebSocketState(int id);

        [DllImport("__Internal")]
        private static extern void GamewireWebSocketSend(int id, byte[] data, int amount);

        [DllImport("__Internal")]
        private static extern int GamewireWebSocketReceive(int id, byte[] into, int capacity);

        [DllImport("__Internal")]
        private static extern void GamewireWebSocketClose(int id);
    }
}
#endif
