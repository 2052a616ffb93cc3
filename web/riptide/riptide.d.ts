/** Types of `riptide.js`: a client for servers of Riptide 2.1 and later over WebSocket. */

/** How a message is sent. Over a WebSocket every mode arrives in order; only `Reliable` survives a busy server. */
export const MessageSendMode: { readonly Unreliable: 0; readonly Notify: 6; readonly Reliable: 7 };
export type MessageSendMode = 0 | 6 | 7;

/** Why a server rejected a connection, or that there was none. */
export const RejectReason: {
    readonly NoConnection: 0;
    readonly AlreadyConnected: 1;
    readonly ServerFull: 2;
    readonly Rejected: 3;
    readonly Custom: 4;
};

/** Why a connection ended. */
export const DisconnectReason: {
    readonly NeverConnected: 0;
    readonly ConnectionRejected: 1;
    readonly TransportError: 2;
    readonly TimedOut: 3;
    readonly Kicked: 4;
    readonly ServerStopped: 5;
    readonly Disconnected: 6;
    readonly PoorConnection: 7;
};

export interface Vector2 {
    x: number;
    y: number;
}

export interface Vector3 extends Vector2 {
    z: number;
}

export interface Quaternion extends Vector3 {
    w: number;
}

/**
 * A message: values that are added on one side and taken in the same order on the other. Adding throws a RangeError if the
 * message is full or the value does not fit its type, taking if the message has no more values. An array is written with
 * its length, unless `includeLength` is false; then the reader passes the amount.
 */
export class Message {
    /** Largest payload in bytes; both sides must use the same. */
    static MaxPayloadSize: number;

    /** Creates a message. A notify message has no id. Without arguments: the data of a connect request. */
    static Create(sendMode?: MessageSendMode, id?: number): Message;

    private constructor();

    readonly SendMode: MessageSendMode | undefined;
    readonly Id: number | undefined;
    /** Number of bits that were not taken yet, padding included. */
    readonly UnreadBits: number;
    /** Number of bytes of the packet. */
    readonly BytesInUse: number;

    /** Adds the lowest `count` bits (1 to 64) of a value. */
    AddBits(value: number | bigint, count: number): this;
    /** Takes `count` bits (1 to 64): a number up to 32 bits, else a bigint. */
    GetBits(count: number): number | bigint;
    AddVarULong(value: number | bigint): this;
    GetVarULong(): bigint;
    AddVarLong(value: number | bigint): this;
    GetVarLong(): bigint;
    AddBool(value: boolean): this;
    GetBool(): boolean;
    AddBools(values: readonly boolean[], includeLength?: boolean): this;
    GetBools(amount?: number): boolean[];
    AddByte(value: number): this;
    GetByte(): number;
    AddBytes(values: Iterable<number> & { length: number }, includeLength?: boolean): this;
    GetBytes(amount?: number): number[];
    AddSByte(value: number): this;
    GetSByte(): number;
    AddSBytes(values: Iterable<number> & { length: number }, includeLength?: boolean): this;
    GetSBytes(amount?: number): number[];
    AddShort(value: number): this;
    GetShort(): number;
    AddShorts(values: Iterable<number> & { length: number }, includeLength?: boolean): this;
    GetShorts(amount?: number): number[];
    AddUShort(value: number): this;
    GetUShort(): number;
    AddUShorts(values: Iterable<number> & { length: number }, includeLength?: boolean): this;
    GetUShorts(amount?: number): number[];
    AddInt(value: number): this;
    GetInt(): number;
    AddInts(values: Iterable<number> & { length: number }, includeLength?: boolean): this;
    GetInts(amount?: number): number[];
    AddUInt(value: number): this;
    GetUInt(): number;
    AddUInts(values: Iterable<number> & { length: number }, includeLength?: boolean): this;
    GetUInts(amount?: number): number[];
    AddFloat(value: number): this;
    GetFloat(): number;
    AddFloats(values: Iterable<number> & { length: number }, includeLength?: boolean): this;
    GetFloats(amount?: number): number[];
    AddDouble(value: number): this;
    GetDouble(): number;
    AddDoubles(values: Iterable<number> & { length: number }, includeLength?: boolean): this;
    GetDoubles(amount?: number): number[];
    AddString(value: string): this;
    GetString(): string;
    AddStrings(values: readonly string[], includeLength?: boolean): this;
    GetStrings(amount?: number): string[];
    AddLong(value: number | bigint): this;
    GetLong(): bigint;
    AddLongs(values: readonly (number | bigint)[], includeLength?: boolean): this;
    GetLongs(amount?: number): bigint[];
    AddULong(value: number | bigint): this;
    GetULong(): bigint;
    AddULongs(values: readonly (number | bigint)[], includeLength?: boolean): this;
    GetULongs(amount?: number): bigint[];
    AddVector2(value: Vector2): this;
    GetVector2(): Vector2;
    AddVector3(value: Vector3): this;
    GetVector3(): Vector3;
    AddQuaternion(value: Quaternion): this;
    GetQuaternion(): Quaternion;
    /** Adds an object that writes itself. */
    AddSerializable(value: { Serialize(message: Message): unknown }): this;
    /** Takes an object that reads itself. */
    GetSerializable<T extends { Deserialize(message: Message): unknown }>(type: new () => T): T;
}

/** An event with handlers, as in C#: `client.Connected.add(handler)`. A handler that throws is reported, and stops nothing. */
export class Event<T> {
    add(handler: (argument: T) => void): this;
    remove(handler: (argument: T) => void): this;
}

/** The end of a connection or attempt. `Message` is the data of a kick or rejection. */
export interface Ended {
    Reason: number;
    Message?: Message;
}

/** A class that `gamewire compile game.toml --emit typescript` has made. */
export interface MessageClass<T> {
    readonly Id: number;
    Deserialize(message: Message): T;
}

/** A client of one server. */
export class Client {
    /** Raised when the server has accepted the client. */
    readonly Connected: Event<Record<string, never>>;
    /** Raised if there is no connection. */
    readonly ConnectionFailed: Event<Ended>;
    /** Raised when the connection has ended. */
    readonly Disconnected: Event<Ended>;
    /** Raised after an automatic reconnection, instead of Disconnected and Connected. */
    readonly Reconnected: Event<{ OldId: number; Id: number }>;
    /** Raised for each message, before its handler. */
    readonly MessageReceived: Event<{ MessageId: number; Message: Message }>;
    /** Raised when another client has connected. */
    readonly ClientConnected: Event<{ Id: number }>;
    /** Raised when another client has disconnected. */
    readonly ClientDisconnected: Event<{ Id: number }>;
    /** Raised with the sequence id of a reliable message that has arrived. */
    readonly ReliableDelivered: Event<number>;
    /** Raised with the sequence id of a notify message that has arrived. */
    readonly NotifyDelivered: Event<number>;
    /** Raised with the sequence id of a notify message that may be lost. */
    readonly NotifyLost: Event<number>;

    /** Milliseconds without a heartbeat of the server until the connection ends. Default: 5000. */
    TimeoutTime: number;
    /** Milliseconds between two heartbeats. Default: 1000. */
    HeartbeatInterval: number;
    /** Seconds for which the client joins again after a lost connection. Default: 0, which does not. */
    ReconnectTime: number;
    /** Id that the server has given to this client. */
    readonly Id: number;
    /** Last round-trip time in milliseconds; -1 before the first. */
    readonly RTT: number;
    /** Smoothed round-trip time in milliseconds; -1 before the first. */
    readonly SmoothRTT: number;
    readonly IsConnected: boolean;
    readonly IsConnecting: boolean;
    readonly IsNotConnected: boolean;
    /** Number of reliable messages that the server has not acknowledged. */
    readonly Unacknowledged: number;

    /** Registers the handler for messages with an id, or of a generated class. It replaces an earlier one. */
    Handle(id: number, handler: (message: Message) => void): void;
    Handle<T>(type: MessageClass<T>, handler: (value: T) => void): void;
    /** Starts to connect to `ws://HOST:PORT/` or `wss://`. `message` is the data of the request. */
    Connect(address: string, maxConnectionAttempts?: number, message?: Message): void;
    /** Leaves the server. */
    Disconnect(): void;
    /**
     * Sends a message, or an instance of a generated class. Returns its sequence id, or 0 for an unreliable message.
     * Throws an Error if the client is not connected.
     */
    Send(message: Message | { ToMessage(): Message }): number;
}
