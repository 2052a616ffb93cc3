/**
 * A client for servers of Riptide 2.1 and later over WebSocket, for games in a browser. It has the names of the C#
 * library and no dependencies. Types are in `riptide.d.ts`.
 *
 *     import { Client, Message, MessageSendMode } from "./riptide.js";
 *
 *     const client = new Client();
 *     client.Connected.add(() => client.Send(Message.Create(MessageSendMode.Reliable, 1).AddString("hello")));
 *     client.Handle(1, (message) => console.log(message.GetString()));
 *     client.Connect("ws://localhost:7778/");
 *
 * Differences to C#: `Update` is not needed, because handlers run when messages arrive; reading past the end of a message
 * throws a RangeError instead of returning 0; handlers are registered with `Handle`.
 */

/** How a message is sent. Over a WebSocket every mode arrives in order; only `Reliable` survives a busy server. */
export const MessageSendMode = Object.freeze({ Unreliable: 0, Notify: 6, Reliable: 7 });

/** Why a server rejected a connection, or that there was none. */
export const RejectReason = Object.freeze({ NoConnection: 0, AlreadyConnected: 1, ServerFull: 2, Rejected: 3, Custom: 4 });

/** Why a connection ended. */
export const DisconnectReason = Object.freeze({
    NeverConnected: 0,
    ConnectionRejected: 1,
    TransportError: 2,
    TimedOut: 3,
    Kicked: 4,
    ServerStopped: 5,
    Disconnected: 6,
    PoorConnection: 7,
});

/** The packet headers that are not messages. */
const Header = Object.freeze({
    Ack: 1,
    Connect: 2,
    Reject: 3,
    Heartbeat: 4,
    Disconnect: 5,
    Welcome: 8,
    ClientConnected: 9,
    ClientDisconnected: 10,
});

const HEADER_BITS = 4;
/** Bits before the message id, by mode. */
const MODE_BITS = { [MessageSendMode.Unreliable]: 4, [MessageSendMode.Notify]: 44, [MessageSendMode.Reliable]: 20 };
/** Largest header of a packet in bytes. */
const MAX_HEADER_BYTES = 6;
/** Reliable ids that may be unacknowledged at once, so that the server's receive window suffices. */
const MAX_UNACKED = 1000;
/** Messages that may wait to be sent. */
const MAX_WAITING = 16_384;
/** Shortest time until an unacknowledged message is sent again. The stream loses nothing; a busy server drops messages. */
const MIN_RESEND_MS = 200;
const MAX_RESEND_MS = 1000;
const TICK_MS = 100;
/** Time between two attempts to join again. */
const REJOIN_MS = 500;

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Reads and writes bits, the lowest bit of each byte first. */
class Bits {
    constructor(bytes, length = 0) {
        this.bytes = bytes;
        this.read = 0;
        this.length = length;
    }

    put(value, count) {
        let at = this.length;
        for (let left = count; left > 0; ) {
            const offset = at & 7;
            const taken = Math.min(8 - offset, left);
            const mask = (1 << taken) - 1;
            this.bytes[at >> 3] = (this.bytes[at >> 3] & ~(mask << offset)) | ((value & mask) << offset);
            value >>>= taken;
            at += taken;
            left -= taken;
        }
        this.length = at;
    }

    /** Takes up to 32 bits as an unsigned number. */
    take(count) {
        if (this.read + count > this.length) throw new RangeError("the message has no more values");
        let value = 0;
        for (let done = 0; done < count; ) {
            const offset = this.read & 7;
            const taken = Math.min(8 - offset, count - done);
            const part = (this.bytes[this.read >> 3] >> offset) & ((1 << taken) - 1);
            value += part * 2 ** done;
            this.read += taken;
            done += taken;
        }
        return value;
    }

    putVar(value) {
        let rest = BigInt.asUintN(64, BigInt(value));
        while (rest > 0x7fn) {
            this.put(Number(rest & 0x7fn) | 0x80, 8);
            rest >>= 7n;
        }
        this.put(Number(rest), 8);
    }

    takeVar() {
        let value = 0n;
        for (let shift = 0n; shift < 70n; shift += 7n) {
            const byte = this.take(8);
            value |= BigInt(byte & 0x7f) << shift;
            if (byte < 0x80) return BigInt.asUintN(64, value);
        }
        throw new RangeError("a number of variable length has no end");
    }
}

/** A message: values that are added on one side and taken in the same order on the other. */
export class Message {
    /** Largest payload in bytes; both sides must use the same. */
    static MaxPayloadSize = 1225;

    /** @internal */
    constructor(bits, mode, id) {
        this._bits = bits;
        this._start = bits.read;
        this.SendMode = mode;
        this.Id = id;
    }

    /**
     * Creates a message. A notify message has no id. Without arguments: the data of a connect request.
     */
    static Create(sendMode, id) {
        const bits = new Bits(new Uint8Array(Message.MaxPayloadSize + MAX_HEADER_BYTES));
        if (sendMode === undefined) {
            bits.put(Header.Connect, HEADER_BITS);
        } else {
            bits.put(sendMode, HEADER_BITS);
            bits.length = MODE_BITS[sendMode];
            if (sendMode !== MessageSendMode.Notify) bits.putVar(checked(id, 0, 0xffff));
        }
        bits.read = bits.length;
        return new Message(bits, sendMode, id);
    }

    /** Number of bits that were not taken yet, padding included. */
    get UnreadBits() {
        return this._bits.length - this._bits.read;
    }

    /** Number of bytes of the packet. */
    get BytesInUse() {
        return (this._bits.length + 7) >> 3;
    }

    _reserve(bits) {
        if (this._bits.length + bits > this._bits.bytes.length * 8) {
            throw new RangeError(`the message is full: it has room for ${Message.MaxPayloadSize} bytes`);
        }
    }

    /** Adds the lowest `count` bits (1 to 64) of a number or bigint. */
    AddBits(value, count) {
        checked(count, 1, 64);
        this._reserve(count);
        const whole = BigInt.asUintN(count, BigInt(value));
        this._bits.put(Number(whole & 0xffffffffn), Math.min(count, 32));
        if (count > 32) this._bits.put(Number(whole >> 32n), count - 32);
        return this;
    }

    /** Takes `count` bits (1 to 64): a number up to 32 bits, else a bigint. */
    GetBits(count) {
        checked(count, 1, 64);
        if (count <= 32) return this._bits.take(count);
        const low = BigInt(this._bits.take(32));
        return low | (BigInt(this._bits.take(count - 32)) << 32n);
    }

    AddVarULong(value) {
        this._reserve(80);
        this._bits.putVar(value);
        return this;
    }

    GetVarULong() {
        return this._bits.takeVar();
    }

    AddVarLong(value) {
        const whole = BigInt.asIntN(64, BigInt(value));
        return this.AddVarULong((whole << 1n) ^ (whole >> 63n));
    }

    GetVarLong() {
        const whole = this._bits.takeVar();
        return (whole >> 1n) ^ -(whole & 1n);
    }

    AddString(value) {
        return this.AddBytes(utf8.encode(value));
    }

    GetString() {
        return text.decode(Uint8Array.from(this.GetBytes()));
    }

    /** Adds an object with `Serialize(message)`. */
    AddSerializable(value) {
        value.Serialize(this);
        return this;
    }

    /** Takes an object of a class with `Deserialize(message)`. */
    GetSerializable(type) {
        const value = new type();
        value.Deserialize(this);
        return value;
    }

    AddVector2(value) {
        return this.AddFloat(value.x).AddFloat(value.y);
    }

    GetVector2() {
        return { x: this.GetFloat(), y: this.GetFloat() };
    }

    AddVector3(value) {
        return this.AddVector2(value).AddFloat(value.z);
    }

    GetVector3() {
        return { x: this.GetFloat(), y: this.GetFloat(), z: this.GetFloat() };
    }

    AddQuaternion(value) {
        return this.AddVector3(value).AddFloat(value.w);
    }

    GetQuaternion() {
        return { x: this.GetFloat(), y: this.GetFloat(), z: this.GetFloat(), w: this.GetFloat() };
    }
}

function checked(value, min, max) {
    if (!Number.isInteger(value) || value < min || value > max) {
        throw new RangeError(`${value} is not a whole number from ${min} to ${max}`);
    }
    return value;
}

const scratch = new DataView(new ArrayBuffer(8));

/** The values of a fixed width: name, plural, bits, writer, reader. */
const FIXED = [
    ["Bool", "Bools", 1, (value) => (value ? 1 : 0), (bits) => bits === 1],
    ["Byte", "Bytes", 8, (value) => checked(value, 0, 0xff), (bits) => bits],
    ["SByte", "SBytes", 8, (value) => checked(value, -0x80, 0x7f) & 0xff, (bits) => (bits << 24) >> 24],
    ["Short", "Shorts", 16, (value) => checked(value, -0x8000, 0x7fff) & 0xffff, (bits) => (bits << 16) >> 16],
    ["UShort", "UShorts", 16, (value) => checked(value, 0, 0xffff), (bits) => bits],
    ["Int", "Ints", 32, (value) => checked(value, -0x80000000, 0x7fffffff) >>> 0, (bits) => bits | 0],
    ["UInt", "UInts", 32, (value) => checked(value, 0, 0xffffffff), (bits) => bits],
    ["Float", "Floats", 32, floatBits, floatOf],
];

function floatBits(value) {
    scratch.setFloat32(0, value);
    return scratch.getUint32(0);
}

function floatOf(bits) {
    scratch.setUint32(0, bits);
    return scratch.getFloat32(0);
}

for (const [name, plural, width, toBits, ofBits] of FIXED) {
    Message.prototype[`Add${name}`] = function (value) {
        this._reserve(width);
        this._bits.put(toBits(value), width);
        return this;
    };
    Message.prototype[`Get${name}`] = function () {
        return ofBits(this._bits.take(width));
    };
    addArrays(name, plural, width);
}

Message.prototype.AddLong = function (value) {
    const whole = BigInt(value);
    if (whole !== BigInt.asIntN(64, whole)) throw new RangeError(`${value} does not fit 64 bits`);
    return this.AddBits(BigInt.asUintN(64, whole), 64);
};
Message.prototype.GetLong = function () {
    return BigInt.asIntN(64, this.GetBits(64));
};
Message.prototype.AddULong = function (value) {
    const whole = BigInt(value);
    if (whole !== BigInt.asUintN(64, whole)) throw new RangeError(`${value} does not fit 64 bits`);
    return this.AddBits(whole, 64);
};
Message.prototype.GetULong = function () {
    return this.GetBits(64);
};
Message.prototype.AddDouble = function (value) {
    scratch.setFloat64(0, value);
    return this.AddULong(scratch.getBigUint64(0));
};
Message.prototype.GetDouble = function () {
    scratch.setBigUint64(0, this.GetULong());
    return scratch.getFloat64(0);
};
for (const name of ["Long", "ULong", "Double"]) addArrays(name, `${name}s`, 64);
// A string has at least the byte of its length.
addArrays("String", "Strings", 8);

/** Adds the methods for arrays: with a length, unless the reader knows it. */
function addArrays(name, plural, width) {
    Message.prototype[`Add${plural}`] = function (values, includeLength = true) {
        if (includeLength) this.AddVarULong(values.length);
        for (const value of values) this[`Add${name}`](value);
        return this;
    };
    Message.prototype[`Get${plural}`] = function (amount) {
        const count = amount === undefined ? Number(this.GetVarULong()) : amount;
        if (count * width > this.UnreadBits) throw new RangeError(`the message does not have ${count} values`);
        const values = new Array(count);
        for (let at = 0; at < count; at += 1) values[at] = this[`Get${name}`]();
        return values;
    };
}

/** An event with handlers, as in C#: `client.Connected.add(handler)`. */
export class Event {
    constructor() {
        this._handlers = [];
    }

    add(handler) {
        this._handlers.push(handler);
        return this;
    }

    remove(handler) {
        this._handlers = this._handlers.filter((known) => known !== handler);
        return this;
    }

    /** @internal */
    _raise(argument) {
        for (const handler of this._handlers) call(handler, argument);
    }
}

/** Calls a handler. Its exception is reported and stops nothing else. */
function call(handler, argument) {
    try {
        handler(argument);
    } catch (error) {
        if (typeof reportError === "function") reportError(error);
        else console.error(error);
    }
}

/** The signed distance from sequence id `from` to `to`, around the end of 16 bits. */
const gapOf = (from, to) => ((to - from) << 16) >> 16;

/** The sequence ids that arrived: the last one, and which of the 32 before it. */
class ReceiveWindow {
    constructor() {
        this.last = 0;
        this.field = 0;
    }

    /** Notes an id. Returns false if it came before. */
    add(id) {
        const gap = gapOf(this.last, id);
        if (gap > 0) {
            // The bit of the previous last id.
            this.field = gap > 32 ? 0 : (gap === 32 ? 0 : this.field << gap) | (1 << (gap - 1));
            this.last = id;
            return true;
        }
        if (gap === 0 || gap < -32) return false;
        const bit = 1 << (-gap - 1);
        if (this.field & bit) return false;
        this.field |= bit;
        return true;
    }
}

/** A client of one server. Its events have the names of C#. */
export class Client {
    constructor() {
        /** Raised when the server has accepted the client. */
        this.Connected = new Event();
        /** Raised with `{ Reason, Message }` if there is no connection. */
        this.ConnectionFailed = new Event();
        /** Raised with `{ Reason, Message }` when the connection has ended. */
        this.Disconnected = new Event();
        /** Raised with `{ OldId, Id }` after an automatic reconnection, instead of Disconnected and Connected. */
        this.Reconnected = new Event();
        /** Raised with `{ MessageId, Message }` before the handler of the message. */
        this.MessageReceived = new Event();
        /** Raised with `{ Id }` when another client has connected. */
        this.ClientConnected = new Event();
        /** Raised with `{ Id }` when another client has disconnected. */
        this.ClientDisconnected = new Event();
        /** Raised with the sequence id of a reliable message that has arrived. */
        this.ReliableDelivered = new Event();
        /** Raised with the sequence id of a notify message that has arrived, or was lost. */
        this.NotifyDelivered = new Event();
        this.NotifyLost = new Event();
        /** Milliseconds without a heartbeat of the server until the connection ends. */
        this.TimeoutTime = 5000;
        this.HeartbeatInterval = 1000;
        /** Seconds for which the client joins again after a lost connection; 0 does not. */
        this.ReconnectTime = 0;
        this.RTT = -1;
        this.SmoothRTT = -1;
        this.Id = 0;
        this._handlers = new Map();
        this._state = "ended";
    }

    get IsConnected() {
        return this._state === "connected";
    }

    get IsConnecting() {
        return this._state === "connecting" || this._state === "pending";
    }

    get IsNotConnected() {
        return this._state === "ended";
    }

    /** Number of reliable messages that the server has not acknowledged. */
    get Unacknowledged() {
        return this._unacked.size + this._waiting.length;
    }

    /**
     * Registers the handler for messages with an id, or of a class that `gamewire compile --emit typescript` has made. It
     * replaces an earlier one.
     */
    Handle(type, handler) {
        if (typeof type === "number") this._handlers.set(type, handler);
        else this._handlers.set(type.Id, (message) => handler(type.Deserialize(message)));
    }

    /**
     * Starts to connect to `ws://HOST:PORT/` or `wss://`. `message` is the data of the request:
     * `Message.Create().AddString("let me in")`.
     */
    Connect(address, maxConnectionAttempts = 5, message = undefined) {
        if (this._state !== "ended") this.Disconnect();
        this._address = address;
        this._maxAttempts = maxConnectionAttempts;
        this._request = message?._bits;
        this._rejoinUntil = 0;
        this._open();
    }

    /** Leaves the server. */
    Disconnect() {
        if (this._state === "ended") return;
        this._post(Header.Disconnect, () => {});
        this._onDisconnect({ Reason: DisconnectReason.Disconnected, Message: undefined });
    }

    /**
     * Sends a message, or an instance of a generated class. Returns its sequence id, or 0 for an unreliable message.
     * Throws if the client is not connected.
     */
    Send(message) {
        const bits = (message instanceof Message ? message : message.ToMessage())._bits;
        const mode = bits.bytes[0] & 0x0f;
        if (this._state !== "connected") throw new Error("the client is not connected");
        // The caller may send the message again, or to another server.
        const bytes = bits.bytes.slice(0, (bits.length + 7) >> 3);
        if (mode === MessageSendMode.Unreliable) {
            this._socket.send(bytes);
            return 0;
        }
        if (mode === MessageSendMode.Notify) return this._sendNotify(bytes);
        return this._sendReliable(bytes);
    }

    _open() {
        this._state = "connecting";
        this._attempts = 0;
        this._window = new ReceiveWindow();
        this._unacked = new Map();
        this._waiting = [];
        this._nextSeq = 1;
        this._notify = { next: 1, lastReceived: 0, receivedBits: 0, lastAcked: 0 };
        this._pingId = 0;
        this._pendingPing = -1;
        this._lastHeartbeat = now();
        this._nextBeat = 0;
        this.RTT = this.SmoothRTT = -1;
        const socket = new WebSocket(this._address);
        socket.binaryType = "arraybuffer";
        this._socket = socket;
        const live = (action) => (event) => {
            if (this._socket === socket) action(event);
        };
        socket.onopen = live(() => {
            this._nextBeat = 0;
            this._tick();
        });
        socket.onmessage = live((event) => {
            if (event.data instanceof ArrayBuffer && event.data.byteLength > 0) this._receive(new Uint8Array(event.data));
        });
        socket.onclose = live(() => this._end({ Reason: DisconnectReason.TransportError }, true));
        this._startTimer();
    }

    /** Starts the timers. Browsers slow those of hidden pages down, but not those of workers. */
    _startTimer() {
        this._stopTimer();
        const timer = setInterval(() => this._tick(), TICK_MS);
        let worker;
        try {
            const code = new Blob([`setInterval(() => postMessage(0), ${TICK_MS})`], { type: "text/javascript" });
            const url = URL.createObjectURL(code);
            worker = new Worker(url);
            worker.onmessage = () => this._tick();
            // A content security policy may forbid it.
            worker.onerror = (event) => event.preventDefault?.();
            URL.revokeObjectURL(url);
        } catch {
            worker = undefined;
        }
        this._stopTimer = () => {
            clearInterval(timer);
            worker?.terminate();
        };
    }

    _stopTimer() {}

    _tick() {
        const time = now();
        if (this._state === "rejoining") {
            if (time >= this._rejoinAt) this._open();
            return;
        }
        if (this._socket?.readyState === WebSocket.OPEN) this._resend(time);
        if (time < this._nextBeat || this._state === "ended") return;
        this._nextBeat = time + this.HeartbeatInterval;
        if (this._state === "connecting") {
            if (this._attempts >= this._maxAttempts) {
                this._end({ Reason: RejectReason.NoConnection }, true);
                return;
            }
            this._attempts += 1;
            // One request is enough on a stream.
            if (this._socket.readyState === WebSocket.OPEN && !this._requested) this._sendRequest();
            return;
        }
        const limit = this._state === "pending" ? this.TimeoutTime * 2 : this.TimeoutTime;
        if (time - this._lastHeartbeat > limit) {
            this._end({ Reason: DisconnectReason.TimedOut }, true);
        } else if (this._state === "connected") {
            this._pendingPing = this._pingId;
            this._pingTime = time;
            this._post(Header.Heartbeat, (bits) => {
                bits.put(this._pingId, 8);
                bits.put(Math.min(this.RTT, 0x7fff) & 0xffff, 16);
            });
            this._pingId = (this._pingId + 1) & 0xff;
        }
    }

    get _requested() {
        return this._requestedOn === this._socket;
    }

    _sendRequest() {
        this._requestedOn = this._socket;
        if (this._request) this._socket.send(this._request.bytes.slice(0, (this._request.length + 7) >> 3));
        else this._post(Header.Connect, () => {});
    }

    _post(header, write) {
        if (this._socket?.readyState !== WebSocket.OPEN) return;
        const bits = new Bits(new Uint8Array(8));
        bits.put(header, HEADER_BITS);
        write(bits);
        this._socket.send(bits.bytes.slice(0, (bits.length + 7) >> 3));
    }

    _sendReliable(bytes) {
        if (this._waiting.length >= MAX_WAITING) throw new Error("too many messages wait to be sent");
        const seq = this._nextSeq;
        this._nextSeq = (seq + 1) & 0xffff;
        const bits = new Bits(bytes, HEADER_BITS);
        bits.put(seq, 16);
        this._waiting.push({ seq, bytes, sent: 0, attempts: 0 });
        this._flush();
        return seq;
    }

    /** Sends what the server's receive window has room for. */
    _flush() {
        while (this._waiting.length > 0) {
            const oldest = this._unacked.keys().next();
            const next = this._waiting[0];
            if (!oldest.done && gapOf(oldest.value, next.seq) >= MAX_UNACKED) return;
            this._waiting.shift();
            this._unacked.set(next.seq, next);
            this._transmit(next, now());
        }
    }

    _transmit(pending, time) {
        pending.sent = time;
        pending.attempts += 1;
        this._socket.send(pending.bytes);
    }

    _resend(time) {
        for (const pending of this._unacked.values()) {
            const slower = 2 ** Math.max(0, Math.min(pending.attempts - 4, 4));
            const delay = Math.min(Math.max(MIN_RESEND_MS, this.SmoothRTT * 1.2) * slower, MAX_RESEND_MS);
            // What is still in the browser's buffer was not lost.
            if (time - pending.sent >= Math.max(delay, this.SmoothRTT * 1.2) && this._socket.bufferedAmount === 0) {
                this._transmit(pending, time);
            }
        }
    }

    _sendNotify(bytes) {
        const notify = this._notify;
        const seq = notify.next;
        notify.next = (seq + 1) & 0xffff;
        const bits = new Bits(bytes, HEADER_BITS);
        bits.put(notify.lastReceived, 16);
        bits.put(notify.receivedBits, 8);
        bits.put(seq, 16);
        this._socket.send(bytes);
        return seq;
    }

    _receive(bytes) {
        const bits = new Bits(bytes, bytes.length * 8);
        try {
            this._dispatch(bits.take(HEADER_BITS), bits);
        } catch (error) {
            // A packet that ends too early is dropped.
            if (!(error instanceof RangeError)) throw error;
        }
    }

    _dispatch(header, bits) {
        if (header >= MessageSendMode.Reliable) {
            const seq = bits.take(16);
            if (this._state === "ended") return;
            const isNew = this._window.add(seq);
            const { last, field } = this._window;
            this._post(Header.Ack, (ack) => {
                ack.put(last, 16);
                ack.put(field & 0xffff, 16);
                ack.put(last === seq ? 0 : 1, 1);
                if (last !== seq) ack.put(seq, 16);
            });
            if (!isNew) return;
        }
        switch (header) {
            case MessageSendMode.Unreliable:
            case MessageSendMode.Reliable:
                return this._onMessage(header, Number(bits.takeVar() & 0xffffn), bits);
            case MessageSendMode.Notify:
                return this._onNotify(bits);
            case Header.Ack:
                return this._onAck(bits);
            case Header.Connect:
                if (this._state === "connecting") this._state = "pending";
                this._lastHeartbeat = now();
                return undefined;
            case Header.Welcome:
                return this._onWelcome(bits.take(16));
            case Header.Heartbeat:
                return this._onHeartbeat(bits.take(8));
            case Header.ClientConnected:
                return this.ClientConnected._raise({ Id: bits.take(16) });
            case Header.ClientDisconnected:
                return this.ClientDisconnected._raise({ Id: bits.take(16) });
            case Header.Reject:
                if (this.IsConnecting) this._onReject(ended(bits, RejectReason.Custom));
                return undefined;
            case Header.Disconnect:
                return this._onDisconnect(ended(bits, DisconnectReason.Kicked));
            default:
                return undefined;
        }
    }

    _onWelcome(id) {
        if (!this.IsConnecting) return;
        this._state = "connected";
        this._lastHeartbeat = now();
        const echo = new Bits(new Uint8Array(5));
        echo.put(Header.Welcome, HEADER_BITS);
        echo.put(0, 16);
        echo.put(id, 16);
        const old = this.Id;
        this.Id = id;
        this._sendReliable(echo.bytes);
        const rejoined = this._rejoinUntil > 0;
        this._rejoinUntil = 0;
        if (rejoined) this.Reconnected._raise({ OldId: old, Id: id });
        else this.Connected._raise({});
    }

    _onMessage(mode, id, bits) {
        if (this._state !== "connected") return;
        const start = bits.read;
        this.MessageReceived._raise({ MessageId: id, Message: new Message(bits, mode, id) });
        bits.read = start;
        const handler = this._handlers.get(id);
        if (handler && this._state === "connected") call(handler, new Message(bits, mode, id));
    }

    _onAck(bits) {
        const last = bits.take(16);
        const field = bits.take(16);
        const extra = bits.take(1) ? bits.take(16) : last;
        this._acknowledge(extra);
        this._acknowledge(last);
        for (let before = 1; before <= 16; before += 1) {
            if (field & (1 << (before - 1))) this._acknowledge((last - before) & 0xffff);
        }
        this._flush();
    }

    _acknowledge(seq) {
        if (this._unacked.delete(seq)) this.ReliableDelivered._raise(seq);
    }

    _onNotify(bits) {
        const notify = this._notify;
        const [remoteLast, remoteBits, seq] = [bits.take(16), bits.take(8), bits.take(16)];
        const gap = gapOf(notify.lastReceived, seq);
        if (gap <= 0) return;
        notify.receivedBits = gap > 8 ? 0 : ((notify.receivedBits << gap) | (1 << (gap - 1))) & 0xff;
        notify.lastReceived = seq;
        for (let acked = gapOf(notify.lastAcked, remoteLast); acked > 0; acked -= 1) {
            const id = (remoteLast - acked + 1) & 0xffff;
            const arrived = acked === 1 || (acked <= 9 && (remoteBits & (1 << (acked - 2))) !== 0);
            (arrived ? this.NotifyDelivered : this.NotifyLost)._raise(id);
            notify.lastAcked = id;
        }
        this.MessageReceived._raise({ MessageId: 0, Message: new Message(bits, MessageSendMode.Notify, undefined) });
    }

    _onHeartbeat(pingId) {
        const time = now();
        this._lastHeartbeat = time;
        if (pingId !== this._pendingPing) return;
        this._pendingPing = -1;
        this.RTT = Math.max(1, Math.round(time - this._pingTime));
        this.SmoothRTT = this.SmoothRTT < 0 ? this.RTT : Math.max(1, Math.trunc(0.7 * this.SmoothRTT + 0.3 * this.RTT));
    }

    _onReject(ended) {
        const hadConnected = this._rejoinUntil > 0;
        this._end(ended, false);
        if (!hadConnected) this.ConnectionFailed._raise(ended);
    }

    _onDisconnect(ended) {
        // Servers before 2.2.1 send the reason in the wrong bits when they stop.
        if (ended.Reason === 80) ended.Reason = DisconnectReason.ServerStopped;
        const hadConnected = this._state === "connected" || this._rejoinUntil > 0;
        this._end(ended, false);
        if (!hadConnected) this.Disconnected._raise(ended);
    }

    /** Ends the connection. After a loss the client joins again, if it may. */
    _end(ended, isLoss) {
        const was = this._state;
        const time = now();
        if (was === "connected") {
            this._lostBy = ended;
            if (isLoss && this.ReconnectTime > 0) this._rejoinUntil = time + this.ReconnectTime * 1000;
        }
        const socket = this._socket;
        this._socket = undefined;
        socket?.close();
        if (isLoss && this._rejoinUntil > time) {
            this._state = "rejoining";
            this._rejoinAt = time + REJOIN_MS;
            return;
        }
        this._state = "ended";
        this._stopTimer();
        const hadConnected = was === "connected" || this._rejoinUntil > 0;
        this._rejoinUntil = 0;
        if (hadConnected) this.Disconnected._raise(this._lostBy);
        else if (isLoss) this.ConnectionFailed._raise({ Reason: RejectReason.NoConnection });
    }
}

/** Reads why a server rejects or disconnects a client, with data if the reason is `withData`. */
function ended(bits, withData) {
    const Reason = bits.take(8);
    const hasData = Reason === withData && bits.length - bits.read >= 8;
    return { Reason, Message: hasData ? new Message(bits, MessageSendMode.Unreliable, undefined) : undefined };
}

const now = () => performance.now();
