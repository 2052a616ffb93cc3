// The list of packets. Only visible rows are elements.

import { get } from "./api.js";
import { byId, make, setText } from "./dom.js";

const HEIGHT = 22;
// Maximum number of kept rows. Earlier and later rows can be requested again.
const KEPT = 20000;
const PAGE = 500;

export class PacketList {
  constructor(onpick) {
    this.onpick = onpick;
    this.onpause = () => {};
    // Names of players, by the number of their conversation.
    this.names = new Map();
    this.box = byId("list");
    this.values = {};
    this.clear();
    this.isPaused = false;
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

  clear() {
    this.rows = [];
    this.next = 0;
    this.chosen = null;
    this.isStart = false;
    this.isEnd = true;
    this.isLive = false;
    this.isLoading = false;
    this.arrived = 0;
    this.skipped = 0;
    this.generation = (this.generation || 0) + 1;
  }

  // Reloads the list: the end of a live source, the beginning of a file.
  async load(values, isLive) {
    this.clear();
    const generation = this.generation;
    this.values = values;
    this.isLive = isLive;
    this.draw();
    if (isLive) {
      const status = await get("status", { source: values.source });
      const source = status.sources.find((known) => known.number === values.source);
      this.next = source ? source.next : 0;
      const { rows, is_start } = await get("packets", { ...values, before: this.next, limit: PAGE });
      if (generation !== this.generation) return;
      this.rows = rows;
      this.isStart = is_start;
      this.isFollowing = !this.isPaused;
    } else {
      const { rows, next, is_end } = await get("packets", { ...values, from: 0, limit: PAGE });
      if (generation !== this.generation) return;
      this.rows = rows;
      this.next = next;
      this.isStart = true;
      this.isEnd = is_end;
      this.isFollowing = false;
      this.box.scrollTop = 0;
    }
    this.draw();
  }

  // Adds the rows of an event.
  append({ rows, skipped, unseen, next }) {
    this.arrived += rows.length + skipped;
    if (this.isPaused || !this.isLive || !this.isEnd) {
      this.isEnd = false;
      return;
    }
    this.skipped += skipped + unseen;
    this.next = next;
    this.rows.push(...rows);
    if (this.rows.length > KEPT) {
      const dropped = this.rows.length - KEPT;
      this.rows.splice(0, dropped);
      this.isStart = false;
      if (!this.isFollowing) {
        this.box.scrollTop -= dropped * HEIGHT;
        return this.drawNow();
      }
    }
    this.draw();
  }

  setPaused(isPaused) {
    this.isPaused = isPaused;
    if (!isPaused && this.isLive && this.values.source) this.load(this.values, true);
  }

  // Sets the height of the list, because a box can only scroll within its content.
  layout() {
    byId("list-height").style.height = `${this.rows.length * HEIGHT}px`;
  }

  // Shows the newest packets as they arrive.
  follow() {
    if (this.isPaused) return this.onpause(false);
    this.isFollowing = true;
    // At once: the event of an earlier scroll would come before the next frame, and end the following again.
    if (this.isEnd) this.drawNow();
    else this.load(this.values, true);
  }

  toEnd() {
    this.layout();
    this.box.scrollTop = this.rows.length * HEIGHT;
    this.followedTop = this.box.scrollTop;
  }

  scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.box;
    // A scroll by this list can fire its event after the user has chosen a packet or paused.
    if (scrollTop === this.followedTop) return this.draw();
    if (this.isLive && !this.isPaused && scrollTop !== this.revealedTop) this.isFollowing = scrollTop + clientHeight >= scrollHeight - 2 * HEIGHT;
    if (scrollTop < 20 * HEIGHT && !this.isStart) this.loadBefore();
    if (scrollTop + clientHeight > scrollHeight - 20 * HEIGHT && !this.isEnd) this.loadAfter();
    this.draw();
  }

  async loadBefore() {
    if (this.isLoading || this.rows.length === 0) return;
    this.isLoading = true;
    const generation = this.generation;
    const first = this.rows[0].number;
    const { rows, is_start } = await get("packets", { ...this.values, before: first, limit: PAGE });
    if (generation !== this.generation) return;
    this.rows.unshift(...rows);
    this.isStart = is_start;
    this.layout();
    this.box.scrollTop += rows.length * HEIGHT;
    this.isLoading = false;
    this.drawNow();
  }

  async loadAfter() {
    if (this.isLoading) return;
    this.isLoading = true;
    const generation = this.generation;
    const from = this.rows.length > 0 ? this.rows[this.rows.length - 1].number + 1 : this.next;
    const { rows, next, is_end } = await get("packets", { ...this.values, from, limit: PAGE });
    if (generation !== this.generation) return;
    this.rows.push(...rows);
    this.next = next;
    this.isEnd = is_end;
    this.isLoading = false;
    this.draw();
  }

  has(number) {
    return this.rows.some((row) => row.number === number);
  }

  // Loads the rows around a packet.
  async loadAround(number, values) {
    const { isLive } = this;
    this.clear();
    const generation = this.generation;
    this.values = values;
    this.isLive = isLive;
    this.isFollowing = false;
    const { rows, next } = await get("packets", { ...values, from: Math.max(0, number - PAGE / 2), limit: PAGE });
    if (generation !== this.generation) return;
    this.rows = rows;
    this.next = next;
    this.isEnd = false;
  }

  mark(number) {
    this.chosen = number;
    this.reveal();
    this.draw();
  }

  choose(number) {
    this.chosen = number;
    this.isFollowing = false;
    this.reveal();
    this.draw();
    this.onpick(number);
  }

  index() {
    return this.rows.findIndex((row) => row.number === this.chosen);
  }

  reveal() {
    this.layout();
    const top = this.index() * HEIGHT;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    const bottom = top + HEIGHT - this.box.clientHeight;
    if (bottom > this.box.scrollTop) this.box.scrollTop = bottom;
    this.revealedTop = this.box.scrollTop;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / HEIGHT) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key === "Enter") {
      const first = document.querySelector("#details-body .node[tabindex]");
      if (first) first.focus();
      return event.preventDefault();
    }
    const step = steps[event.key];
    if (step === undefined || this.rows.length === 0) return;
    event.preventDefault();
    const index = this.index();
    const from = index < 0 ? (step > 0 ? -1 : this.rows.length) : index;
    const to = Math.min(this.rows.length - 1, Math.max(0, from + step));
    this.choose(this.rows[to].number);
    if (event.key === "End" && this.isLive && !this.isPaused) this.follow();
  }

  setNames(conversations) {
    this.names = new Map(conversations.filter((known) => known.name).map((known) => [known.number, known.name]));
    const isNew = this.names.size !== this.named;
    this.named = this.names.size;
    if (isNew) this.draw();
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
    const start = this.index();
    for (let passed = 1; passed <= this.rows.length; passed += 1) {
      const length = this.rows.length;
      const row = this.rows[(((start + step * passed) % length) + length) % length];
      if (row.summary.toLowerCase().includes(this.text)) return this.choose(row.number);
    }
  }

  rate() {
    if (!this.isLive) return setText(byId("rate"), `${this.rows.length}${this.isEnd ? "" : "+"} shown`);
    // Counted since the list was loaded.
    const skipped = this.skipped > 0 ? `, ${this.skipped} not listed: too fast` : "";
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
    if (this.isFollowing && !this.isPaused) this.toEnd();
    const first = Math.max(0, Math.floor(this.box.scrollTop / HEIGHT) - 5);
    const last = Math.min(this.rows.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / HEIGHT) + 5);
    this.layout();
    const rows = byId("rows");
    rows.style.top = `${first * HEIGHT}px`;
    rows.replaceChildren(...this.rows.slice(first, last).map((row) => this.row(row)));
    byId("newest").disabled = !this.isLive || (this.isFollowing && !this.isPaused);
    byId("no-rows").hidden = this.rows.length > 0 || this.isLoading || !this.values.source;
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
