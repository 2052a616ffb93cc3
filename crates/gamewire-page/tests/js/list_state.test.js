import assert from "node:assert/strict";
import { test } from "node:test";

import { EMPTY, MAX_ROWS, PAGE_ROWS, isLive, rowsOf, update, updateNames } from "../../assets/list_state.js";

const SELECTION = { source: 1, filter: "", only: "", conversation: null };

/** @returns {import("../../assets/list_state.js").Row} */
function row(number) {
  return { number, time: number / 1000, conversation: 1, sender: "client", dialect: "tw-0.7", length: 20, summary: `input ${number}` };
}

/** Returns the rows from a number to the one before another. */
function rows(from, to) {
  return Array.from({ length: to - from }, (_, at) => row(from + at));
}

function open(state, isLive, around) {
  return update(state, { type: "opened", selection: SELECTION, isLive, around });
}

/** Answers the request of a state from a source with the packets 1 to `end - 1`. */
function answer(state, end) {
  const { request } = state;
  if (request.kind === "latest" || request.kind === "before") {
    const before = request.before ?? end;
    const first = Math.max(1, before - PAGE_ROWS);
    return update(state, { type: "loaded", request, rows: rows(first, before), next: before, isStart: first === 1, isEnd: true });
  }
  const first = Math.max(1, request.from);
  const next = Math.min(end, first + PAGE_ROWS);
  return update(state, { type: "loaded", request, rows: rows(first, next), next, isStart: request.from === 0, isEnd: next === end });
}

function arrive(state, from, to, skipped = 0) {
  return update(state, { type: "arrived", rows: rows(from, to), skipped, unseen: 0, next: to });
}

function scroll(state, to) {
  return update(state, { type: "scrolled", isByUser: true, isAtEnd: to === "end", isNearStart: to === "start", isNearEnd: to === "end" });
}

function fail(state) {
  return update(state, { type: "request_failed", request: state.request, problem: new Error("no answer") });
}

const pause = (state, isPaused) => update(state, { type: "paused", isPaused });
const follow = (state) => update(state, { type: "followed" });
const numbers = (state) => rowsOf(state).map(({ number }) => number);
const live = (end) => answer(open(EMPTY, true), end);
const file = (end) => answer(open(EMPTY, false), end);

function range(state) {
  const known = numbers(state);
  return [known[0], known.at(-1)];
}

test("a live source is followed from its last rows", () => {
  const state = live(2001);
  assert.equal(state.name, "following");
  assert.deepEqual(range(state), [1501, 2000]);
  assert.deepEqual(range(arrive(state, 2001, 2011)), [1501, 2010]);
});

test("a file begins with its first rows and loads the next ones when they are near", () => {
  const state = file(701);
  assert.deepEqual([state.name, state.isStart, state.isEnd, ...range(state)], ["file", true, false, 1, 500]);
  const asked = scroll(state, "end");
  assert.deepEqual(asked.request, { kind: "after", selection: SELECTION, from: 501 });
  const whole = answer(asked, 701);
  assert.deepEqual([whole.isEnd, ...range(whole)], [true, 1, 700]);
  assert.equal(scroll(whole, "end"), whole, "there is nothing to request");
});

test("rows are requested again after a failed request", () => {
  for (const [state, to] of [[live(2001), "start"], [file(2001), "end"]]) {
    const asked = scroll(state, to);
    assert.notEqual(asked.request, null);
    assert.equal(scroll(asked, to).request, asked.request, "one request at a time");
    const failed = fail(asked);
    assert.equal(failed.request, null);
    assert.deepEqual(rowsOf(failed), rowsOf(asked));
    const again = scroll(failed, to);
    assert.deepEqual(again.request, asked.request);
    assert.equal(rowsOf(answer(again, 2001)).length, 1000);
  }
});

test("a list whose first request failed can be opened, followed and paused again", () => {
  const failed = fail(open(EMPTY, true));
  assert.equal(failed.name, "failed");
  assert.equal(arrive(failed, 1, 5), failed);
  assert.equal(answer(follow(failed), 100).name, "following");
  assert.equal(answer(pause(pause(failed, true), false), 100).name, "following");
  assert.equal(answer(open(failed, false), 100).name, "file");
});

test("a file keeps at most MAX_ROWS rows, and loads those again that it dropped", () => {
  const end = 30001;
  let state = file(end);
  let scrolled = 0;
  while (!state.isEnd) {
    const before = state.origin;
    state = answer(scroll(state, "end"), end);
    scrolled += state.origin - before;
    assert.ok(rowsOf(state).length <= MAX_ROWS);
  }
  assert.deepEqual([state.isStart, ...range(state)], [false, 10001, 30000]);
  assert.equal(scrolled, 10000, "the view moves by the dropped rows");
  while (!state.isStart) {
    const first = state.origin;
    state = answer(scroll(state, "start"), end);
    assert.equal(first - state.origin, PAGE_ROWS, "the view moves by the added rows");
    assert.ok(rowsOf(state).length <= MAX_ROWS);
  }
  assert.deepEqual([state.isEnd, state.next, ...range(state)], [false, 20001, 1, 20000]);
  assert.deepEqual(range(answer(scroll(state, "end"), end)), [501, 20500]);
});

test("a live list that has dropped its newest rows loads them again before it follows", () => {
  let state = live(30001);
  while (!state.isStart) state = answer(scroll(state, "start"), 30001);
  assert.deepEqual([state.name, state.isEnd, ...range(state)], ["scrolled", false, 1, 20000]);
  state = arrive(state, 30001, 30011);
  assert.deepEqual(range(state), [1, 20000], "the new rows do not follow the last one");
  const scrolled = scroll(state, "end");
  assert.deepEqual([scrolled.name, scrolled.request.kind], ["scrolled", "after"]);
  assert.deepEqual([answer(follow(state), 30011).name, ...range(answer(follow(state), 30011))], ["following", 29511, 30010]);
});

test("a followed list drops its first rows when it is full", () => {
  let state = live(2001);
  for (let next = 2001; next < 40001; next += 200) state = arrive(state, next, next + 200);
  assert.deepEqual([state.name, state.isStart, ...range(state)], ["following", false, 20001, 40000]);
});

test("a request for earlier rows does not displace the rows of a list that is followed meanwhile", () => {
  let state = live(20001);
  while (rowsOf(state).length < MAX_ROWS - PAGE_ROWS) state = answer(scroll(state, "start"), 20001);
  state = arrive(scroll(state, "start"), 20001, 20101);
  const followed = answer(follow(state), 20101);
  assert.deepEqual([followed.name, followed.isEnd, followed.request, range(followed)[1]], ["following", true, null, 20100]);
});

test("choosing a packet or scrolling up ends the following, scrolling to the end continues it", () => {
  const state = live(2001);
  const chosen = update(state, { type: "chosen", number: 1900 });
  assert.deepEqual([chosen.name, chosen.chosen], ["scrolled", 1900]);
  assert.deepEqual(range(arrive(chosen, 2001, 2011)), [1501, 2010], "new rows are still added");
  assert.equal(scroll(state, "middle").name, "scrolled");
  assert.equal(scroll(scroll(state, "middle"), "end").name, "following");
  assert.equal(follow(chosen).name, "following");
});

test("a scroll by the list itself does not end the following", () => {
  const state = live(2001);
  const event = { type: "scrolled", isByUser: false, isAtEnd: false, isNearStart: false, isNearEnd: false };
  assert.equal(update(state, event), state);
});

test("a paused list keeps its rows, and going on loads the newest ones", () => {
  const paused = pause(live(2001), true);
  assert.equal(paused.name, "paused");
  const later = scroll(arrive(paused, 2001, 2011), "middle");
  assert.deepEqual([later.name, ...range(later)], ["paused", 1501, 2000]);
  assert.equal(follow(later), later);
  assert.equal(update(later, { type: "chosen", number: 1600 }).name, "paused");
  const scrolled = answer(scroll(later, "end"), 2011);
  assert.deepEqual([scrolled.name, ...range(scrolled)], ["paused", 1501, 2010]);
  assert.deepEqual(range(answer(pause(later, false), 3001)), [2501, 3000]);
});

test("a pause outlives the source", () => {
  const paused = pause(file(100), true);
  assert.equal(paused.name, "file");
  assert.equal(answer(open(paused, true), 100).name, "paused");
  assert.equal(answer(pause(open(EMPTY, true), true), 100).name, "paused");
  assert.equal(answer(pause(open(paused, true), false), 100).name, "following");
});

test("an answer to an earlier request is ignored", () => {
  const first = open(EMPTY, true);
  const second = open(first, true);
  const late = { type: "loaded", request: first.request, rows: rows(1, 5), next: 5, isStart: true, isEnd: true };
  assert.equal(update(second, late), second);
  assert.equal(update(second, { type: "request_failed", request: first.request, problem: new Error("late") }), second);
});

test("packets that arrive before the first rows are listed after them once", () => {
  const loading = arrive(arrive(follow(scroll(pause(pause(live(2001), true), false), "end")), 2001, 2011), 2011, 2021, 3);
  assert.equal(loading.name, "loading");
  const state = answer(loading, 2005);
  assert.deepEqual([state.name, state.next, ...range(state)], ["following", 2021, 1505, 2020]);
  assert.equal(new Set(numbers(state)).size, 516);
});

test("packets that arrive while later rows are requested are not left out", () => {
  const paused = arrive(pause(live(2001), true), 2001, 2101);
  const asked = arrive(scroll(paused, "end"), 2101, 2111);
  const answered = answer(asked, 2101);
  assert.deepEqual([answered.isEnd, ...range(answered)], [false, 1501, 2100]);
  assert.deepEqual(range(answer(scroll(answered, "end"), 2111)), [1501, 2110]);
});

test("packets that the program sends again after a lost connection are listed once", () => {
  const state = arrive(live(2001), 2001, 2201);
  const again = arrive(state, 2101, 2301, 100);
  assert.deepEqual([again.skipped, ...range(again)], [0, 1501, 2300]);
  assert.equal(new Set(numbers(again)).size, 800);
});

test("packets that arrive too fast are counted", () => {
  assert.equal(arrive(live(2001), 2301, 2501, 300).skipped, 300);
});

test("a packet that is not listed is shown between its neighbors", () => {
  const state = answer(open(pause(live(9001), true), true, 4000), 9001);
  assert.deepEqual([state.name, state.isStart, state.isEnd, ...range(state)], ["paused", false, false, 3750, 4249]);
  assert.equal(answer(open(EMPTY, false, 100), 9001).isStart, true);
});

test("a new name of a player replaces the old one", () => {
  const names = updateNames(new Map(), [{ number: 1, name: "ann" }, { number: 2, name: null }]);
  assert.equal(updateNames(names, [{ number: 1, name: "ann" }]), names, "equal names need no drawing");
  const renamed = updateNames(names, [{ number: 1, name: "bob" }]);
  assert.deepEqual([...renamed], [[1, "bob"]]);
  assert.deepEqual([...updateNames(names, [{ number: 2, name: "ann" }])], [[2, "ann"]]);
});

test("the end and the beginning of a file are loaded", () => {
  const begun = file(3001);
  const ended = update(begun, { type: "jumped", to: "end" });
  assert.equal(ended.request.kind, "latest");
  const last = answer(ended, 3001);
  assert.deepEqual([last.name, ...range(last), last.isStart, last.isEnd], ["file", 2501, 3000, false, true]);
  const back = answer(update(last, { type: "jumped", to: "start" }), 3001);
  assert.deepEqual([back.name, ...range(back), back.isStart, back.isEnd], ["file", 1, 500, true, false]);
  assert.equal(update(back, { type: "jumped", to: "start" }), back);
});

test("the beginning of a live source is not followed", () => {
  const state = answer(update(live(3001), { type: "jumped", to: "start" }), 3001);
  assert.deepEqual([state.name, ...range(state), state.isStart], ["scrolled", 1, 500, true]);
});

test("after an interruption further rows are requested", () => {
  const state = update(scroll(live(3001), "middle"), { type: "interrupted" });
  assert.deepEqual([state.isEnd, range(state)[1]], [false, 3000]);
  assert.deepEqual(range(answer(scroll(state, "end"), 3101)), [2501, 3100]);
});

test("after any events the rows are bounded, in order and without gaps", () => {
  let seed = 1;
  const random = (count) => {
    seed = (seed * 48271) % 2147483647;
    return seed % count;
  };
  const freeze = (state) => {
    Object.freeze(rowsOf(state));
    return Object.freeze(state);
  };
  for (let round = 0; round < 10; round += 1) {
    let state = freeze(open(EMPTY, random(3) > 0));
    let end = 30000;
    for (let step = 0; step < 300; step += 1) {
      const act = [
        () => (state.request ? answer(state, end) : scroll(state, "start")),
        () => (state.request ? answer(state, end) : scroll(state, "end")),
        () => scroll(state, ["start", "end", "middle"][random(3)]),
        () => (state.request ? fail(state) : state),
        () => {
          const first = end;
          end += random(200) + 1;
          return arrive(state, first, end);
        },
        () => (random(9) === 0 ? pause(state, random(2) === 0) : state),
        () => (random(9) === 0 ? follow(state) : update(state, { type: "chosen", number: 20 })),
        () => (random(9) === 0 ? update(state, { type: "jumped", to: ["start", "end"][random(2)] }) : state),
        () => {
          // The page loads a list that is followed again, and a loading one is not interrupted.
          if (state.name === "following" || state.name === "loading") return state;
          end += random(20);
          return update(state, { type: "interrupted" });
        },
        () => (random(20) === 0 ? open(state, random(3) > 0, random(2) === 0 ? random(end) : undefined) : state),
      ][random(10)];
      state = freeze(act());
      const known = numbers(state);
      assert.ok(known.length <= MAX_ROWS);
      assert.ok(known.every((number, at) => at === 0 || number === known[at - 1] + 1), state.name);
      if (known.length > 0 && state.isEnd && isLive(state)) assert.equal(known.at(-1) + 1, end);
      if (known.length > 0) assert.equal(state.isStart, known[0] === 1);
      if (state.name === "following") assert.ok(state.isEnd && !state.isPaused);
      if (isLive(state) && rowsOf(state).length > 0) assert.equal(state.name === "paused", state.isPaused);
    }
  }
});
