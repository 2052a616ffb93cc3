// Messages against the bytes of the C# library (vectors/riptide), by `node --test`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Message, MessageSendMode } from "../riptide.js";

const hex = (message) => Buffer.from(message._bits.bytes.slice(0, message.BytesInUse)).toString("hex");

/** The messages that C# 2.2.1 has written, by their values. */
const vectors = new Map(
    readFileSync(new URL("../../../vectors/riptide/vectors.jsonl", import.meta.url), "utf8")
        .split("\n")
        .filter((line) => line)
        .map((line) => JSON.parse(line))
        .filter((line) => line.implementation === "csharp" && line.version === "2.2.1" && line.type.startsWith("encode:"))
        .map((line) => [`${line.type.slice(7)} ${line.fields.message_id} ${line.fields.value}`, line.hex]),
);

const PLAIN = /^(bool|byte|sbyte|short|ushort|int|uint|long|ulong|float|double) (\S+)$/;
const LISTS = /^(bytes|sbytes|shorts|ushorts|ints|uints|longs|ulongs|floats|doubles) ((?:-?[\d.]+ ?)+)$/;
const NAMES = { sbyte: "SByte", ushort: "UShort", uint: "UInt", ulong: "ULong" };
const nameOf = (type) => NAMES[type] ?? type[0].toUpperCase() + type.slice(1);
const valueOf = (type, text) => {
    if (type === "bool") return text === "true" || text === "True";
    return type.endsWith("long") ? BigInt(text) : Number(text);
};

test("values have the bytes of the C# library, and are read back", () => {
    let compared = 0;
    for (const [key, bytes] of vectors) {
        const [mode, id, ...rest] = key.split(" ");
        const [plain, list] = [PLAIN.exec(rest.join(" ")), LISTS.exec(rest.join(" "))];
        const found = plain ?? list;
        if (!found || (plain && !/^(true|false|True|False|-?[\d.]+)$/.test(found[2]))) continue;
        const type = plain ? found[1] : found[1].slice(0, -1);
        const name = nameOf(type);
        const message = Message.Create(MessageSendMode[mode], Number(id) < 0 ? undefined : Number(id));
        const values = found[2].trim().split(" ").map((text) => valueOf(type, text));
        if (plain) message[`Add${name}`](values[0]);
        else message[`Add${name}s`](values);
        assert.equal(hex(message), bytes, key);
        const back = plain ? [message[`Get${name}`]()] : message[`Get${name}s`]();
        assert.deepEqual(back, type === "float" ? values.map(Math.fround) : values, key);
        compared += 1;
    }
    assert.ok(compared >= 15, `${compared} of ${vectors.size} were compared`);
});

test("values between bits, of variable length, and of 64 bits come back", () => {
    const message = Message.Create(MessageSendMode.Reliable, 300)
        .AddBool(true)
        .AddBits(5, 3)
        .AddBits(0x1_2345_6789_abcdn, 49)
        .AddVarULong(0xffff_ffff_ffff_ffffn)
        .AddVarLong(-(2n ** 63n))
        .AddVarLong(63)
        .AddLong(-1)
        .AddULong(2n ** 64n - 1n)
        .AddDouble(Math.PI)
        .AddString("Grüße, 🦀")
        .AddStrings(["a", ""])
        .AddBools([true, false, true])
        .AddBytes([1, 2, 3], false)
        .AddVector3({ x: 1, y: -2, z: 0.5 });
    assert.equal(message.GetBool(), true);
    assert.equal(message.GetBits(3), 5);
    assert.equal(message.GetBits(49), 0x1_2345_6789_abcdn);
    assert.equal(message.GetVarULong(), 0xffff_ffff_ffff_ffffn);
    assert.equal(message.GetVarLong(), -(2n ** 63n));
    assert.equal(message.GetVarLong(), 63n);
    assert.equal(message.GetLong(), -1n);
    assert.equal(message.GetULong(), 2n ** 64n - 1n);
    assert.equal(message.GetDouble(), Math.PI);
    assert.equal(message.GetString(), "Grüße, 🦀");
    assert.deepEqual(message.GetStrings(), ["a", ""]);
    assert.deepEqual(message.GetBools(), [true, false, true]);
    assert.deepEqual(message.GetBytes(3), [1, 2, 3]);
    assert.deepEqual(message.GetVector3(), { x: 1, y: -2, z: 0.5 });
    assert.equal(message.UnreadBits, 0);
    assert.throws(() => message.GetBool(), RangeError);
});

test("what does not fit is refused, and a claimed length reserves nothing", () => {
    const message = Message.Create(MessageSendMode.Unreliable, 1);
    for (const [method, value] of [["AddByte", 256], ["AddSByte", -129], ["AddInt", 2 ** 31], ["AddUInt", -1], ["AddULong", -1], ["AddShort", 1.5]]) {
        assert.throws(() => message[method](value), RangeError, method);
    }
    assert.throws(() => message.AddBytes(new Uint8Array(1300)), RangeError);
    const claim = Message.Create(MessageSendMode.Unreliable, 1).AddVarULong(2n ** 40n);
    assert.throws(() => claim.GetInts(), RangeError);
    assert.throws(() => Message.Create(MessageSendMode.Reliable, 65536), RangeError);
});
