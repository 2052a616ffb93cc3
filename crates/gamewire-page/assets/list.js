// The list of packets. Only visible rows are elements. Its state is in `list_state.js`.

import { get } from "./api.js";
import { byId, closest, make, setText } from "./dom.js";
import { EMPTY, isLive, PAGE_ROWS, rowsOf, update, updateNames } from "./list_state.js";

// Height of a row in pixels, as in `page.css`.
const ROW_HEIGHT = 22;
// Number of rows that are drawn above and below the visible ones.
const MARGIN_ROWS = 5;
// Further rows are requested when fewer than these are left above or below the visible ones.
const NEAR_ROWS = 20;

/**
 * @import { Packets, Row, Conversation } from "../types/api.js"
 * @import { ListEvent, ListState, RowRequest, Selection } from "./list_state.js"
 */

/** @type {(keyof Row)[]} */
const MARKS = ["error", "warning", "lost", "resent", "asks"];

export class PacketList {
  /** @param {{ onpick(number: number): void, onpause(isPaused: boolean): void, onfound(number: number): void, onproblem(problem: Error): void }} handlers */
  constructor({ onpick, onpause, onfound, onproblem }) {
    this.onpick = onpick;
    this.onpause = onpause;
    this.onfound = onfound;
    this.onproblem = onproblem;
    /**
     * Names of players, by the number of their conversation.
     * @type {ReadonlyMap<number, string>}
     */
    this.names = new Map();
    this.box = byId("list");
    /** @type {ListState} */
    this.state = EMPTY;
    /** @type {Promise<void> | null} */
    this.running = null;
    this.isDrawing = false;
    this.arrived = 0;
    // Positions that this list has scrolled to by itself.
    this.followedTop = -1;
    this.revealedTop = -1;
    this.text = "";
    // The latest search.
    this.searching = {};
    this.box.addEventListener("scroll", () => this.scrolled());
    this.box.addEventListener("keydown", (event) => this.key(event));
    // Not on `click`, because new rows can move the list before the button is released.
    this.box.addEventListener("pointerdown", (event) => {
      const row = closest(event, ".row");
      if (row && event.button === 0) this.choose(Number(row.dataset.number));
    });
    byId("newest").addEventListener("click", () => this.follow());
    new ResizeObserver(() => this.draw()).observe(this.box);
    setInterval(() => this.rate(), 1000);
  }

  get rows() {
    return rowsOf(this.state);
  }

  get isPaused() {
    return this.state.isPaused;
  }

  get chosen() {
    return "rows" in this.state ? this.state.chosen : null;
  }

  // The number of the packet after the last row.
  get next() {
    return "rows" in this.state ? this.state.next : undefined;
  }

  /**
   * Passes an event to the state, sends its new request, and draws it.
   * @param {ListEvent} event
   */
  dispatch(event) {
    const before = this.state;
    const state = update(before, event);
    if (state === before) return;
    this.state = state;
    const request = requestOf(state);
    if (request && request !== requestOf(before)) this.running = this.send(request);
    if (before.name === "loading" && "rows" in state && state.name !== "following") this.box.scrollTop = 0;
    const moved = "rows" in before && "rows" in state ? before.origin - state.origin : 0;
    if (moved === 0 || state.name === "following") return this.draw();
    // The visible rows stay where they are.
    this.layout();
    this.box.scrollTop += moved * ROW_HEIGHT;
    this.drawNow();
  }

  /** @param {RowRequest} request */
  async send(request) {
    const { selection } = request;
    try {
      const from = "from" in request ? request.from : undefined;
      const before = "before" in request ? request.before : from === undefined ? await this.end(selection.source) : undefined;
      const answer = await get("packets", { ...selection, from, before, limit: PAGE_ROWS });
      const { rows } = answer;
      if ("next" in answer) {
        this.dispatch({ type: "loaded", request, rows, next: answer.next, isStart: from === 0, isEnd: answer.is_end });
      } else {
        this.dispatch({ type: "loaded", request, rows, next: before ?? 0, isStart: answer.is_start, isEnd: true });
      }
    } catch (error) {
      if (requestOf(this.state) !== request) return;
      const problem = /** @type {Error} */ (error);
      this.dispatch({ type: "request_failed", request, problem });
      this.onproblem(problem);
    }
  }

  /**
   * Returns the number of the packet after the last one of a source.
   * @param {number} source
   */
  async end(source) {
    const status = await get("status", { source });
    return status.sources.find((known) => known.number === source)?.next ?? 0;
  }

  /**
   * Loads the list: the end of a live source, the beginning of a file, or the rows around a packet.
   * @param {Selection} selection
   * @param {boolean} isLive
   * @param {number} [around]
   */
  async open(selection, isLive, around) {
    this.arrived = 0;
    this.dispatch({ type: "opened", selection, isLive, around });
    while (this.state.name === "loading") await this.running;
  }

  /**
   * Adds the rows of an event.
   * @param {Packets} arrival
   */
  append(arrival) {
    this.arrived += arrival.rows.length + arrival.skipped;
    this.dispatch({ type: "arrived", ...arrival });
  }

  /** @param {boolean} isPaused */
  setPaused(isPaused) {
    this.dispatch({ type: "paused", isPaused });
  }

  // Sets the height of the list, because a box can only scroll within its content.
  layout() {
    byId("list-height").style.height = `${this.rows.length * ROW_HEIGHT}px`;
  }

  // Shows the newest packets as they arrive.
  follow() {
    if (this.isPaused) return this.onpause(false);
    this.dispatch({ type: "followed" });
    // At once: the event of an earlier scroll would come before the next frame, and end the following again.
    this.drawNow();
  }

  toEnd() {
    this.layout();
    this.box.scrollTop = this.rows.length * ROW_HEIGHT;
    this.followedTop = this.box.scrollTop;
  }

  scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.box;
    const below = scrollHeight - scrollTop - clientHeight;
    // A scroll by this list can fire its event after the user has chosen a packet or paused.
    if (scrollTop !== this.followedTop) {
      this.dispatch({
        type: "scrolled",
        isByUser: scrollTop !== this.revealedTop,
        isAtEnd: below <= 2 * ROW_HEIGHT,
        isNearStart: scrollTop < NEAR_ROWS * ROW_HEIGHT,
        isNearEnd: below < NEAR_ROWS * ROW_HEIGHT,
      });
    }
    this.draw();
  }

  /** @param {number} number */
  has(number) {
    return this.rows.some((row) => row.number === number);
  }

  /**
   * Chooses a packet without calling `onpick`.
   * @param {number} number
   */
  mark(number) {
    this.dispatch({ type: "chosen", number });
    this.reveal();
    this.draw();
  }

  /** @param {number} number */
  choose(number) {
    this.mark(number);
    this.onpick(number);
  }

  index() {
    return this.rows.findIndex((row) => row.number === this.chosen);
  }

  reveal() {
    const index = this.index();
    if (index < 0) return;
    this.layout();
    const top = index * ROW_HEIGHT;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    const bottom = top + ROW_HEIGHT - this.box.clientHeight;
    if (bottom > this.box.scrollTop) this.box.scrollTop = bottom;
    this.revealedTop = this.box.scrollTop;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT) - 1);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key === "Enter") {
      /** @type {HTMLElement | null} */
      const first = document.querySelector("#details-body .node[tabindex]");
      first?.focus();
      return event.preventDefault();
    }
    const step = steps[event.key];
    if (step === undefined || this.rows.length === 0) return;
    event.preventDefault();
    if (Math.abs(step) === Infinity) return this.jump(step > 0 ? "end" : "start");
    const { rows } = this;
    const index = this.index();
    const from = index < 0 ? (step > 0 ? -1 : rows.length) : index;
    const to = Math.min(rows.length - 1, Math.max(0, from + step));
    this.choose(rows[to].number);
  }

  /**
   * Chooses the first or the last packet, and follows the traffic from the last one.
   * @param {"start" | "end"} to
   */
  async jump(to) {
    this.dispatch({ type: "jumped", to });
    while (this.state.name === "loading") await this.running;
    const row = this.rows.at(to === "end" ? -1 : 0);
    if (row) this.choose(row.number);
    if (to === "end" && isLive(this.state) && !this.isPaused) this.follow();
  }

  /** @param {Conversation[]} conversations */
  setNames(conversations) {
    const names = updateNames(this.names, conversations);
    if (names === this.names) return;
    this.names = names;
    this.draw();
  }

  /** @param {string} text */
  find(text) {
    this.text = text.toLowerCase();
    this.searching = {};
    this.say(null);
    this.draw();
  }

  /**
   * Returns a summary with the found text marked. If the text is far to the right, the beginning is left out.
   * @param {string} summary
   */
  found(summary) {
    const at = summary.toLowerCase().indexOf(this.text);
    const end = at + this.text.length;
    const start = at > 30 ? `…${summary.slice(at - 15, at)}` : summary.slice(0, at);
    return [start, make("mark", {}, summary.slice(at, end)), summary.slice(end)];
  }

  /**
   * Chooses the next packet of the selection whose row contains the text, or the previous one if `step` is -1. Searches
   * all rows, and continues at the other end.
   * @param {1 | -1} step
   */
  async findNext(step) {
    const { state, text } = this;
    if (!text || !("rows" in state)) return;
    const searching = {};
    this.searching = searching;
    const isForward = step > 0;
    const end = Number.MAX_SAFE_INTEGER;
    let at = isForward ? (this.chosen ?? 0) + 1 : this.chosen ?? end;
    try {
      for (let rounds = 0; rounds < 2;) {
        const answer = await get("find", { ...state.selection, text, [isForward ? "from" : "before"]: at });
        if (this.searching !== searching) return;
        if (answer.number !== null) {
          this.say(null);
          return this.onfound(answer.number);
        }
        at = answer.next;
        if (answer.is_end) {
          rounds += 1;
          at = isForward ? 0 : end;
        } else this.say(`Searching, at packet ${at}`);
      }
      this.say(`No packet of the list contains "${text}".`);
    } catch (problem) {
      this.onproblem(/** @type {Error} */ (problem));
    }
  }

  /**
   * Shows a sentence about the search.
   * @param {string | null} sentence
   */
  say(sentence) {
    byId("found").hidden = sentence === null;
    setText(byId("found"), sentence ?? "");
  }

  rate() {
    const { state } = this;
    const isWhole = !("rows" in state) || state.isEnd;
    if (!isLive(state)) return setText(byId("rate"), `${this.rows.length}${isWhole ? "" : "+"} shown`);
    // Counted since the list was loaded.
    const skipped = "rows" in state && state.skipped > 0 ? `, ${state.skipped} not listed: too fast` : "";
    setText(byId("rate"), `${this.arrived} packets/s${skipped}`);
    this.arrived = 0;
  }

  draw() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      this.drawNow();
    });
  }

  // Scrolls to the newest rows and draws them in one step, so that a click always hits the row that the user sees.
  drawNow() {
    const { state } = this;
    if (state.name === "following") this.toEnd();
    const { scrollTop, clientHeight } = this.box;
    const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - MARGIN_ROWS);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + MARGIN_ROWS);
    this.layout();
    const rows = byId("rows");
    rows.style.top = `${first * ROW_HEIGHT}px`;
    rows.replaceChildren(...this.rows.slice(first, last).map((row) => this.row(row)));
    byId("newest").disabled = !["scrolled", "paused", "failed"].includes(state.name);
    byId("no-rows").hidden = !("rows" in state) || state.rows.length > 0 || state.request !== null;
    if (this.chosen !== null) this.box.setAttribute("aria-activedescendant", `packet-${this.chosen}`);
  }

  /** @param {Row} row */
  row(row) {
    const marks = MARKS.filter((mark) => row[mark]);
    const isFound = this.text && row.summary.toLowerCase().includes(this.text);
    const tag = row.lost ? "lost" : row.resent ? "resent" : row.asks ? "asks for resend" : null;
    return make(
      "div",
      {
        class: ["row", row.sender, ...marks].join(" "),
        role: "option",
        id: `packet-${row.number}`,
        "data-number": row.number,
        "aria-selected": row.number === this.chosen ? "true" : "false",
        title: row.summary,
      },
      make("span", { class: "n" }, `${row.number}`),
      make("span", { class: "t" }, row.time.toFixed(6)),
      make("span", { class: "c", title: `conversation ${row.conversation}` }, this.names.get(row.conversation) || `#${row.conversation}`),
      make("span", { class: `w ${row.sender}`, title: `from the ${row.sender}` }, row.sender === "client" ? "→" : "←"),
      make("span", { class: "d" }, row.dialect),
      tag && make("span", { class: "tag" }, tag),
      make("span", { class: "x" }, ...(isFound ? this.found(row.summary) : [row.summary])),
    );
  }
}

/** @param {ListState} state */
function requestOf(state) {
  return "request" in state ? state.request : null;
}
