// The table of conversations. Choosing a row shows only the packets of this conversation.

import { byId, closest, make, number, setText } from "./dom.js";

/** @import { Conversation, Status } from "../types/api.js" */

// Maximum number of rows in the table. It shows the conversations that were active last.
const MAX_SHOWN = 200;
// Minimum number of seconds over which rates are computed.
const MIN_SECONDS = 0.9;

export class Conversations {
  /** @param {(number: number | null) => void} onchoose */
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.body = byId("conversations").tBodies[0];
    /**
     * The rows of the table, and the last rates of their conversations.
     * @type {Map<number, { element: HTMLTableRowElement, rates: (number | null)[] }>}
     */
    this.rows = new Map();
    /** @type {number | null} */
    this.chosen = null;
    /**
     * The conversations at `time`, from which rates are computed.
     * @type {Map<number, Conversation>}
     */
    this.before = new Map();
    /** @type {number | null} */
    this.time = null;
  }

  clear() {
    this.chosen = null;
    this.before.clear();
    this.time = null;
    this.rows.clear();
    this.body.replaceChildren();
  }

  /** @param {number | null} conversation */
  choose(conversation) {
    this.chosen = conversation;
    for (const [key, { element }] of this.rows) element.setAttribute("aria-selected", key === conversation ? "true" : "false");
  }

  focus() {
    /** @type {HTMLElement | null} */
    const row = this.body.querySelector("tr[aria-selected=true]") || this.body.querySelector("tr");
    row?.focus();
  }

  /** @param {Status} status */
  update(status) {
    const all = status.conversations;
    const shown = all.length <= MAX_SHOWN ? all : [...all].sort((one, other) => other.last - one.last).slice(0, MAX_SHOWN);
    shown.sort((one, other) => one.number - other.number);
    const wanted = new Set(shown.map((known) => known.number));
    for (const [key, row] of this.rows) {
      if (!wanted.has(key)) {
        row.element.remove();
        this.rows.delete(key);
      }
    }
    // The clock of the program can be set back.
    const seconds = this.time === null ? 0 : Math.max(0, status.time - this.time);
    for (const known of shown) this.row(known, seconds);
    if (seconds === 0 || seconds >= MIN_SECONDS) {
      this.before = new Map(all.map((known) => [known.number, known]));
      this.time = status.time;
    }
  }

  /**
   * @param {Conversation} known
   * @param {number} seconds - since the previous figures
   */
  row(known, seconds) {
    let row = this.rows.get(known.number);
    if (!row) {
      const element = make("tr", {
        tabindex: "0",
        "data-conversation": known.number,
        "aria-selected": known.number === this.chosen ? "true" : "false",
        onclick: () => this.pick(known.number),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event, known.number),
      });
      for (let column = 0; column < 12; column += 1) element.append(make("td", { class: column > 4 ? "number" : "" }));
      row = { element, rates: [null, null, null] };
      this.rows.set(known.number, row);
      this.body.append(element);
    }
    const { element } = row;
    element.classList.toggle("over", known.is_over);
    const before = this.before.get(known.number);
    if (before && seconds >= MIN_SECONDS) {
      const bytes = known.to_server.bytes + known.to_client.bytes - before.to_server.bytes - before.to_client.bytes;
      row.rates = [
        (known.to_server.packets - before.to_server.packets) / seconds,
        (known.to_client.packets - before.to_client.packets) / seconds,
        bytes / seconds / 1000,
      ];
    }
    const [up, down, bytes] = row.rates;
    const side = known.side === "server" ? " (server side)" : "";
    const texts = [
      `${known.number}`,
      known.name || (known.proxy_client === null ? "" : `client ${known.proxy_client}${side}`),
      known.dialect,
      known.state,
      known.client,
      number(up),
      number(down),
      number(bytes, 1),
      number(known.round_trip_ms, 1),
      `${known.to_server.lost + known.to_client.lost}`,
      `${known.to_server.resent + known.to_client.resent}`,
      `${known.errors}`,
    ];
    for (const [column, text] of texts.entries()) setText(element.cells[column], text);
    element.cells[11].classList.toggle("bad", known.errors > 0);
  }

  /** @param {number} conversation */
  pick(conversation) {
    this.onchoose(conversation === this.chosen ? null : conversation);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} conversation
   */
  key(event, conversation) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.pick(conversation);
    }
    const row = closest(event, "tr");
    const next = event.key === "ArrowDown" ? row?.nextElementSibling : event.key === "ArrowUp" ? row?.previousElementSibling : null;
    if (next instanceof HTMLElement) {
      event.preventDefault();
      next.focus();
    }
  }
}
