// A player with the JavaScript client in Node: `player.mjs ADDRESS ID`. It prints a line for each event, and sends on a line
// `send COUNT` that number of reliable messages with the id, each with its number.

import { createInterface } from "node:readline";

import { Client, Message, MessageSendMode } from "../../web/riptide/riptide.js";

const [address, id] = process.argv.slice(2);
const print = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
const client = new Client();
client.Connected.add(() => print({ event: "connected", id: client.Id }));
client.ConnectionFailed.add(({ Reason }) => print({ event: "failed", reason: Reason }));
client.Disconnected.add(({ Reason }) => {
    print({ event: "disconnected", reason: Reason });
    process.exit(0);
});
client.MessageReceived.add(({ MessageId, Message }) => print({ event: "message", id: MessageId, value: Message.GetInt() }));
client.Connect(address);
createInterface({ input: process.stdin }).on("line", (line) => {
    const count = Number(line.split(" ")[1]);
    for (let number = 0; number < count; number += 1)
        client.Send(Message.Create(MessageSendMode.Reliable, Number(id)).AddInt(number));
});
