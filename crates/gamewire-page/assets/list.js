// The list of packets. Only visible rows are elements. Its state is in `list_state.js`.

import { get } from "./api.js";
import { byId, make, setText } from "./dom.js";
import { EMPTY, isLive, PAGE_ROWS, rowsOf, update, updateNames } from "./list_state.js";

// Height of a row in pixels, as in `page.css`.
const ROW_HEIGHT = 22;
// Number of rows that are drawn above and below the visible ones.
const MARGIN_ROWS = 5;
// Further rows are requested when fewer than these are left above or below the visible ones.
const NEAR_ROWS = 20;

export class PacketList {
  constructor(onpick) {
    this.onpick = onpick;
    this.onpause = () => {};
    this.onproblem = () => {};
    // Names of players, by the number of their conversation.
    this.names = new Map();
    this.box = byId("list");
    this.state = EMPTY;
    this.running = null;
    this.isDrawing = false;
    this.arrived = 0;
    // Where this list has scrolled to by itself.
    this.followedTop = null;
    this.revealedTop = null;
    this.text = "";
    this.box.addEventListener("scroll", () => this.scrolled());
    this.box.addEventListener("keydown", (event) => this.key(event));
    // Not on `click`, because new rows can move the list before the button is released.
    this.box.addEventListener("pointerdown", (event) => {
      const row = event.target.closest(".row");
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
    return this.state.chosen ?? null;
  }

  // The number of the packet after the last row.
  get next() {
    return this.state.next;
  }

  // Passes an event to the state, sends its new request, and draws it.
  dispatch(event) {
    const before = this.state;
    const state = update(before, event);
    if (state === before) return;
    this.state = state;
    if (state.request && state.request !== before.request) this.running = this.send(state.request);
    if (before.name === "loading" && state.rows && state.name !== "following") this.box.scrollTop = 0;
    const moved = before.rows && state.rows ? before.origin - state.origin : 0;
    if (moved === 0 || state.name === "following") return this.draw();
    // The visible rows stay where they are.
    this.layout();
    this.box.scrollTop += moved * ROW_HEIGHT;
    this.drawNow();
  }

  async send(request) {
    const { kind, selection } = request;
    try {
      const wanted = { ...selection, limit: PAGE_ROWS };
      if (kind === "latest" || kind === "before") {
        const before = kind === "before" ? request.before : await this.end(selection.source);
        const { rows, is_start } = await get("packets", { ...wanted, before });
        this.dispatch({ type: "loaded", request, rows, next: before, isStart: is_start, isEnd: true });
      } else {
        const { rows, next, is_end } = await get("packets", { ...wanted, from: request.from });
        this.dispatch({ type: "loaded", request, rows, next, isStart: request.from === 0, isEnd: is_end });
      }
    } catch (problem) {
      if (this.state.request !== request) return;
      this.dispatch({ type: "request_failed", request, problem });
      this.onproblem(problem);
    }
  }

  // Returns the number of the packet after the last one of a source.
  async end(source) {
    const status = await get("status", { source });
    return status.sources.find((known) => known.number === source)?.next ?? 0;
  }

  // Loads the list: the end of a live source, the beginning of a file, or the rows around a packet.
  async open(selection, isLive, around) {
    this.arrived = 0;
    this.dispatch({ type: "opened", selection, isLive, around });
    while (this.state.name === "loading") await this.running;
  }

  // Adds the rows of an event.
  append(arrival) {
    this.arrived += arrival.rows.length + arrival.skipped;
    this.dispatch({ type: "arrived", ...arrival });
  }

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

  has(number) {
    return this.rows.some((row) => row.number === number);
  }

  // Chooses a packet without calling `onpick`.
  mark(number) {
    this.dispatch({ type: "chosen", number });
    this.reveal();
    this.draw();
  }

  choose(number) {
    this.mark(number);
    this.onpick(number);
  }

  index() {
    return this.rows.findIndex((row) => row.number === this.chosen);
  }

  reveal() {
    this.layout();
    const top = this.index() * ROW_HEIGHT;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    const bottom = top + ROW_HEIGHT - this.box.clientHeight;
    if (bottom > this.box.scrollTop) this.box.scrollTop = bottom;
    this.revealedTop = this.box.scrollTop;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key === "Enter") {
      const first = document.querySelector("#details-body .node[tabindex]");
      if (first) first.focus();
      return event.preventDefault();
    }
    const step = steps[event.key];
    const { rows } = this;
    if (step === undefined || rows.length === 0) return;
    event.preventDefault();
    const index = this.index();
    const from = index < 0 ? (step > 0 ? -1 : rows.length) : index;
    const to = Math.min(rows.length - 1, Math.max(0, from + step));
    this.choose(rows[to].number);
    if (event.key === "End" && isLive(this.state) && !this.isPaused) this.follow();
  }

  setNames(conversations) {
    const names = updateNames(this.names, conversations);
    if (names === this.names) return;
    this.names = names;
    this.draw();
  }

  find(text) {
    this.text = text.toLowerCase();
    this.draw();
  }

  // Returns a summary with the found text marked. If the text is far to the right, the beginning is left out.
  found(summary) {
    const at = summary.toLowerCase().indexOf(this.text);
    const end = at + this.text.length;
    const start = at > 30 ? `…${summary.slice(at - 15, at)}` : summary.slice(0, at);
    return [start, make("mark", {}, summary.slice(at, end)), summary.slice(end)];
  }

  // Chooses the next row that contains the text.
  findNext(step) {
    if (!this.text) return;
    const { rows } = this;
    const start = this.index();
    for (let passed = 1; passed <= rows.length; passed += 1) {
      const row = rows[(((start + step * passed) % rows.length) + rows.length) % rows.length];
      if (row.summary.toLowerCase().includes(this.text)) return this.choose(row.number);
    }
  }

  rate() {
    const { state } = this;
    const isWhole = !state.rows || state.isEnd;
    if (!isLive(state)) return setText(byId("rate"), `${this.rows.length}${isWhole ? "" : "+"} shown`);
    // Counted since the list was loaded.
    const skipped = state.skipped > 0 ? `, ${state.skipped} not listed: too fast` : "";
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
    const { name } = this.state;
    if (name === "following") this.toEnd();
    const { scrollTop, clientHeight } = this.box;
    const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - MARGIN_ROWS);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT) + MARGIN_ROWS);
    this.layout();
    const rows = byId("rows");
    rows.style.top = `${first * ROW_HEIGHT}px`;
    rows.replaceChildren(...this.rows.slice(first, last).map((row) => this.row(row)));
    byId("newest").disabled = !["scrolled", "paused", "failed"].includes(name);
    byId("no-rows").hidden = !this.state.rows || this.rows.length > 0 || this.state.request !== null;
    if (this.chosen !== null) this.box.setAttribute("aria-activedescendant", `packet-${this.chosen}`);
  }

  row(row) {
    const marks = ["error", "warning", "lost", "resent", "asks"].filter((mark) => row[mark]);
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
