// Packs integers and compresses payloads with the npm package `teeworlds`. Each line of standard input is a JSON
// value, an integer or the bytes in hexadecimal digits; for each it writes what the package makes of it, and what it
// makes of that in the other direction.
"use strict";

const readline = require("node:readline");
const { Huffman } = require("teeworlds/lib/huffman");
const { MsgPacker } = require("teeworlds/lib/MsgPacker");
const { MsgUnpacker } = require("teeworlds/lib/MsgUnpacker");

const huffman = new Huffman();

function packed(integer) {
  const packer = new MsgPacker(0, false, 0);
  packer.AddInt(integer);
  // The first byte is the id of the message.
  const bytes = packer.buffer.subarray(1);
  return [bytes.toString("hex"), new MsgUnpacker(bytes).unpackInt()];
}

function compressed(payload) {
  const bytes = huffman.compress(payload);
  return [bytes.toString("hex"), huffman.decompress(bytes).toString("hex")];
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const value = JSON.parse(line);
  const made = typeof value === "number" ? packed(value) : compressed(Buffer.from(value, "hex"));
  process.stdout.write(`${made.join(" ")}\n`);
});
