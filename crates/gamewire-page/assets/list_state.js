// The state of the list of packets, and its transitions. They use neither elements nor requests: `list.js` has both.
//
// A state is never changed: `update` returns a new one, or the old one if nothing has changed. A new `request` in it
// must be sent, and its answer passed as an event `loaded` or `request_failed`.

// Maximum number of kept rows. Earlier and later rows can be requested again.
export const MAX_ROWS = 20000;
// Maximum number of rows of a response.
export const PAGE_ROWS = 500;

/**
 * @import { Row } from "../types/api.js"
 *
 * What the rows are selected by.
 * @typedef {{ source: number, filter: string, only: string, conversation: number | null }} Selection
 *
 * A request for rows. `latest` are the last rows of a live source; the others are rows from or before a packet.
 * @typedef {{ kind: "latest" }} Latest
 * @typedef {{ kind: "from" | "around" | "after", from: number }} From
 * @typedef {{ kind: "before", before: number }} Before
 * @typedef {(Latest | From | Before) & { selection: Selection }} RowRequest
 *
 * Rows of new packets.
 * @typedef {Readonly<import("../types/api.js").Packets>} Arrival
 *
 * No source.
 * @typedef {{ name: "empty", isPaused: boolean }} Empty
 *
 * The first rows are requested. `early` are rows that arrive before them.
 * @typedef {{ name: "loading", isPaused: boolean, isLive: boolean, selection: Selection, request: RowRequest, early: Arrival }} Loading
 *
 * The request for the first rows has failed.
 * @typedef {{ name: "failed", isPaused: boolean, isLive: boolean, selection: Selection, problem: Error }} Failed
 *
 * Rows of a file, or of a live source that is followed (the newest row is always visible), scrolled or paused.
 * @typedef {object} Listed
 * @property {"file" | "following" | "scrolled" | "paused"} name
 * @property {boolean} isPaused - also known for a file, because it applies to the next live source
 * @property {Selection} selection
 * @property {readonly Row[]} rows
 * @property {number} origin - rows dropped before the first one minus rows added before it, since the first response
 * @property {number} next - number of the packet after the last row
 * @property {number} end - number of the packet after all that have arrived, listed or not
 * @property {boolean} isStart - there are no rows before the first one
 * @property {boolean} isEnd - there are no rows after the last one
 * @property {number} skipped - packets that arrived too fast to be rows
 * @property {number | null} chosen
 * @property {RowRequest | null} request
 *
 * @typedef {Empty | Loading | Failed | Listed} ListState
 *
 * @typedef {{ type: "opened", selection: Selection, isLive: boolean, around?: number }} Opened
 * @typedef {{ type: "loaded", request: RowRequest, rows: readonly Row[], next: number, isStart: boolean, isEnd: boolean }} Loaded
 * @typedef {{ type: "request_failed", request: RowRequest, problem: Error }} RequestFailed
 * @typedef {{ type: "arrived" } & Arrival} Arrived
 * @typedef {{ type: "scrolled", isByUser: boolean, isAtEnd: boolean, isNearStart: boolean, isNearEnd: boolean }} Scrolled
 * @typedef {{ type: "paused", isPaused: boolean }} Paused
 * @typedef {{ type: "followed" }} Followed
 * @typedef {{ type: "jumped", to: "start" | "end" }} Jumped
 * @typedef {{ type: "interrupted" }} Interrupted
 * @typedef {{ type: "chosen", number: number }} Chosen
 * @typedef {Opened | Loaded | RequestFailed | Arrived | Scrolled | Paused | Followed | Jumped | Interrupted | Chosen} ListEvent
 */

/** @type {Empty} */
export const EMPTY = { name: "empty", isPaused: false };

/** @type {readonly Row[]} */
const NO_ROWS = [];

/**
 * Returns the rows of a state.
 * @param {ListState} state
 */
export function rowsOf(state) {
  return "rows" in state ? state.rows : NO_ROWS;
}

/**
 * Returns whether a state has rows of a live source, or requests them.
 * @param {ListState} state
 */
export function isLive(state) {
  return "isLive" in state ? state.isLive : state.name !== "empty" && state.name !== "file";
}

/**
 * Returns the state after an event.
 * @param {ListState} state
 * @param {ListEvent} event
 * @returns {ListState}
 */
export function update(state, event) {
  switch (event.type) {
    case "opened":
      return opened(state, event);
    case "paused":
      return paused(state, event.isPaused);
    case "loaded":
      if (!("request" in state) || state.request !== event.request) return state;
      return state.name === "loading" ? firstLoaded(state, event) : moreLoaded(state, event);
    case "request_failed":
      if (!("request" in state) || state.request !== event.request) return state;
      if (state.name !== "loading") return { ...state, request: null };
      return { name: "failed", isPaused: state.isPaused, isLive: state.isLive, selection: state.selection, problem: event.problem };
    case "arrived":
      if (state.name === "loading") return { ...state, early: joined(state.early, event) };
      return "rows" in state ? arrived(state, event) : state;
    case "scrolled":
      return "rows" in state ? scrolled(state, event) : state;
    case "followed":
      return followed(state);
    case "jumped":
      return "rows" in state ? jumped(state, event.to) : state;
    case "interrupted":
      // Packets may have arrived: there are rows after the last one until a request shows that there are none.
      return "rows" in state && isLive(state) ? { ...state, isEnd: false } : state;
    case "chosen":
      if (!("rows" in state)) return state;
      return { ...state, chosen: event.number, name: state.name === "following" ? "scrolled" : state.name };
  }
}

/**
 * @param {ListState} state
 * @param {Opened} event
 * @returns {Loading}
 */
function opened({ isPaused }, { selection, isLive, around }) {
  /** @type {RowRequest} */
  const request = around !== undefined
    ? { kind: "around", selection, from: Math.max(0, around - PAGE_ROWS / 2) }
    : isLive ? { kind: "latest", selection } : { kind: "from", selection, from: 0 };
  return { name: "loading", isPaused, isLive, selection, request, early: { rows: [], skipped: 0, unseen: 0, next: 0 } };
}

/**
 * Loads the rows of a state again: the last ones, if it is live.
 * @param {Exclude<ListState, Empty>} state
 */
function reloaded(state) {
  return opened(state, { type: "opened", selection: state.selection, isLive: isLive(state) });
}

/**
 * @param {ListState} state
 * @param {boolean} isPaused
 * @returns {ListState}
 */
function paused(state, isPaused) {
  const next = { ...state, isPaused };
  if (next.name === "empty" || !isLive(next)) return next;
  if (!isPaused) return reloaded(next);
  return "rows" in next ? { ...next, name: "paused" } : next;
}

/**
 * @param {Loading} state
 * @param {Loaded} event
 * @returns {Listed}
 */
function firstLoaded({ isPaused, isLive, selection, request, early }, { rows, next, isStart, isEnd }) {
  const name = !isLive ? "file" : isPaused ? "paused" : request.kind === "around" ? "scrolled" : "following";
  /** @type {Listed} */
  const state = { name, isPaused, selection, rows, origin: 0, next, end: next, isStart, isEnd, skipped: 0, chosen: null, request: null };
  return early.next > 0 ? arrived(state, early) : state;
}

/**
 * @param {Listed} state
 * @param {Loaded} event
 * @returns {Listed}
 */
function moreLoaded(state, event) {
  const answered = { ...state, request: null };
  if (event.request.kind !== "before") {
    const end = Math.max(state.end, event.next);
    // Packets that arrived after the program had answered are not in the response.
    return { ...answered, ...extended(state, event.rows), next: event.next, end, isEnd: event.isEnd && event.next === end };
  }
  const rows = [...event.rows, ...state.rows];
  const earlier = { ...answered, origin: state.origin - event.rows.length, isStart: event.isStart };
  if (rows.length <= MAX_ROWS) return { ...earlier, rows };
  // A list that is followed keeps its last rows.
  if (state.name === "following") return answered;
  return { ...earlier, rows: rows.slice(0, MAX_ROWS), next: rows[MAX_ROWS].number, isEnd: false };
}

/**
 * Returns the rows of a state and further ones, without the first ones if there are too many.
 * @param {Listed} state
 * @param {readonly Row[]} further
 */
function extended({ rows, origin, isStart }, further) {
  const all = [...rows, ...further];
  const dropped = Math.max(0, all.length - MAX_ROWS);
  return { rows: dropped > 0 ? all.slice(dropped) : all, origin: origin + dropped, isStart: isStart && dropped === 0 };
}

/**
 * @param {Listed} state
 * @param {Arrival} event
 * @returns {Listed}
 */
function arrived(state, event) {
  const end = Math.max(state.end, event.next);
  if (state.name === "file" || state.name === "paused" || !state.isEnd) return { ...state, end, isEnd: false };
  // After a lost connection, the browser requests the events of the first one again.
  const last = state.rows.length > 0 ? state.rows[state.rows.length - 1].number : 0;
  const rows = event.rows.filter((row) => row.number > last);
  const isRepeated = rows.length < event.rows.length;
  const skipped = state.skipped + (isRepeated ? 0 : event.skipped + event.unseen);
  return { ...state, ...extended(state, rows), next: end, end, skipped };
}

/**
 * @param {Arrival} first
 * @param {Arrival} second
 * @returns {Arrival}
 */
function joined(first, second) {
  const rows = [...first.rows, ...second.rows].slice(-MAX_ROWS);
  return { rows, skipped: first.skipped + second.skipped, unseen: first.unseen + second.unseen, next: second.next };
}

/**
 * @param {Listed} state
 * @param {Scrolled} event
 * @returns {Listed}
 */
function scrolled(state, { isByUser, isAtEnd, isNearStart, isNearEnd }) {
  const { rows, selection, request } = state;
  let { name } = state;
  if (isByUser && (name === "following" || name === "scrolled")) name = isAtEnd && state.isEnd ? "following" : "scrolled";
  /** @type {RowRequest | null} */
  let wanted = request;
  if (request === null && isNearStart && !state.isStart && rows.length > 0) wanted = { kind: "before", selection, before: rows[0].number };
  else if (request === null && isNearEnd && !state.isEnd) wanted = { kind: "after", selection, from: state.next };
  return name === state.name && wanted === request ? state : { ...state, name, request: wanted };
}

/**
 * @param {ListState} state
 * @returns {ListState}
 */
function followed(state) {
  if (state.name === "empty" || !isLive(state) || state.isPaused) return state;
  return "rows" in state && state.isEnd ? { ...state, name: "following" } : reloaded(state);
}

/**
 * Loads the first or the last rows, unless the list has them.
 * @param {Listed} state
 * @param {"start" | "end"} to
 * @returns {ListState}
 */
function jumped(state, to) {
  if (to === "start" ? state.isStart : state.isEnd) return state;
  const { selection } = state;
  /** @type {RowRequest} */
  const request = to === "start" ? { kind: "around", selection, from: 0 } : { kind: "latest", selection };
  return { ...opened(state, { type: "opened", selection, isLive: isLive(state) }), request };
}

/**
 * Returns the names of players by the number of their conversation: `names` itself if they have not changed.
 * @param {ReadonlyMap<number, string>} names
 * @param {readonly { number: number, name: string | null }[]} conversations
 * @returns {ReadonlyMap<number, string>}
 */
export function updateNames(names, conversations) {
  /** @type {Map<number, string>} */
  const known = new Map();
  for (const { number, name } of conversations) if (name) known.set(number, name);
  const isEqual = known.size === names.size && [...known].every(([number, name]) => names.get(number) === name);
  return isEqual ? names : known;
}
