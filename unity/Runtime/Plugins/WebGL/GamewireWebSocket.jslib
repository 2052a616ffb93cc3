// WebSockets for BrowserSocket.cs. Messages wait in queues until C# polls for them, so that no callback into C# is needed.
var GamewireWebSocketLibrary = {
  $GamewireWebSockets: {
    next: 1,
    // Plain properties: Unity's build turns a Map of this object into {}.
    sockets: {},
    maxQueued: 4096,
    maxBuffered: 1 << 20,
  },

  // Opens a socket and returns its id. Its state is 0 while it connects, 1 when it is open, 2 when it is closed.
  GamewireWebSocketOpen: function (address, maxMessageBytes) {
    var all = GamewireWebSockets;
    var id = all.next++;
    var entry = { socket: null, state: 0, incoming: [], outgoing: [], isClosing: false };
    all.sockets[id] = entry;
    try {
      entry.socket = new WebSocket(UTF8ToString(address));
    } catch (error) {
      // An address that the page may not use, such as ws from a page over https.
      entry.state = 2;
      return id;
    }
    var socket = entry.socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = function () {
      entry.state = 1;
      entry.outgoing.forEach(function (data) { socket.send(data); });
      entry.outgoing = [];
      if (entry.isClosing) socket.close(1000);
    };
    socket.onmessage = function (event) {
      if (entry.isClosing) return;
      var isBinary = event.data instanceof ArrayBuffer;
      if (!isBinary || event.data.byteLength > maxMessageBytes || entry.incoming.length >= all.maxQueued) {
        entry.state = 2;
        entry.isClosing = true;
        socket.close(4000);
      } else if (event.data.byteLength > 0) {
        entry.incoming.push(new Uint8Array(event.data));
      }
    };
    socket.onclose = function () {
      entry.state = 2;
      if (entry.isClosing && entry.isReleased) delete all.sockets[id];
    };
    return id;
  },

  GamewireWebSocketState: function (id) {
    var entry = GamewireWebSockets.sockets[id];
    return entry ? entry.state : 2;
  },

  GamewireWebSocketSend: function (id, data, amount) {
    var entry = GamewireWebSockets.sockets[id];
    if (!entry || entry.isClosing || entry.state === 2) return;
    // slice copies: the memory may grow or change, and send() refuses memory that threads share.
    var copy = HEAPU8.slice(data >>> 0, (data >>> 0) + amount);
    if (entry.state === 0) {
      if (entry.outgoing.length < GamewireWebSockets.maxQueued) entry.outgoing.push(copy);
    } else if (entry.socket.bufferedAmount < GamewireWebSockets.maxBuffered) {
      entry.socket.send(copy);
    }
  },

  // Copies the next message, and returns its bytes; 0 if there is none.
  GamewireWebSocketReceive: function (id, into, capacity) {
    var entry = GamewireWebSockets.sockets[id];
    if (!entry || entry.incoming.length === 0) return 0;
    var message = entry.incoming.shift();
    if (message.length > capacity) return 0;
    HEAPU8.set(message, into >>> 0);
    return message.length;
  },

  // Sends what is queued and closes. The id is invalid afterwards.
  GamewireWebSocketClose: function (id) {
    var entry = GamewireWebSockets.sockets[id];
    if (!entry) return;
    entry.isClosing = true;
    entry.isReleased = true;
    entry.incoming = [];
    if (entry.state === 2) delete GamewireWebSockets.sockets[id];
    // A socket that still connects closes after it has sent what is queued.
    else if (entry.state === 1) entry.socket.close(1000);
    else if (entry.outgoing.length === 0) entry.socket.close();
  },
};

autoAddDeps(GamewireWebSocketLibrary, "$GamewireWebSockets");
mergeInto(LibraryManager.library, GamewireWebSocketLibrary);
