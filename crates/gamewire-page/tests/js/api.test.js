import assert from "node:assert/strict";
import { test } from "node:test";

import { command } from "../../assets/api.js";

/** Replaces `fetch` by a program that waits. Returns the lines that it has received, and their answers in this order. */
function program() {
  const lines = [];
  const answers = [];
  globalThis.fetch = (_, { body }) => {
    lines.push(body);
    return new Promise((answer) => answers.push((ok) => answer({ ok, status: ok ? 200 : 400, text: async () => "{}" })));
  };
  return { lines, answers };
}

/** Waits until all promises that can settle have settled. */
function settled() {
  return new Promise((done) => setImmediate(done));
}

test("a command waits for the earlier ones", async () => {
  const { lines, answers } = program();
  const sent = ["step", "step", "play"].map(command);
  for (const expected of [["step"], ["step", "step"], ["step", "step", "play"]]) {
    await settled();
    assert.deepEqual(lines, expected);
    answers[expected.length - 1](true);
  }
  assert.deepEqual(await Promise.all(sent), [{}, {}, {}]);
});

test("a command that fails does not stop the later ones", async () => {
  const { lines, answers } = program();
  const failed = assert.rejects(command("link nonsense"), /status 400/);
  const sent = command("play");
  await settled();
  answers[0](false);
  await failed;
  await settled();
  answers[1](true);
  assert.deepEqual([lines, await sent], [["link nonsense", "play"], {}]);
});
