// The table of conversations. Choosing a row shows only the packets of this conversation.

import { byId, make, number, setText } from "./dom.js";

// Maximum number of rows in the table. It shows the conversations that were active last.
const SHOWN = 200;

export class Conversations {
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.body = byId("conversations").tBodies[0];
    this.rows = new Map();
    this.clear();
  }

  clear() {
    this.chosen = null;
    this.before = new Map();
    this.time = null;
    this.rows.clear();
    this.body.replaceChildren();
  }

  choose(conversation) {
    this.chosen = conversation;
    for (const [key, row] of this.rows) row.setAttribute("aria-selected", key === conversation ? "true" : "false");
  }

  focus() {
    const row = this.body.querySelector("tr[aria-selected=true]") || this.body.querySelector("tr");
    if (row) row.focus();
  }

  update(status) {
    const all = status.conversations;
    const shown = all.length <= SHOWN ? all : [...all].sort((one, other) => other.last - one.last).slice(0, SHOWN);
    shown.sort((one, other) => one.number - other.number);
    const wanted = new Set(shown.map((known) => known.number));
    for (const [key, row] of this.rows) {
      if (!wanted.has(key)) {
        row.remove();
        this.rows.delete(key);
      }
    }
    const seconds = this.time === null ? 0 : status.time - this.time;
    for (const known of shown) this.row(known, seconds);
    if (seconds === 0 || seconds >= 0.9) {
      this.before = new Map(all.map((known) => [known.number, known]));
      this.time = status.time;
    }
  }

  row(known, seconds) {
    let row = this.rows.get(known.number);
    if (!row) {
      row = make("tr", {
        tabindex: "0",
        "data-conversation": known.number,
        "aria-selected": known.number === this.chosen ? "true" : "false",
        onclick: () => this.pick(known.number),
        onkeydown: (event) => this.key(event, known.number),
      });
      for (let column = 0; column < 12; column += 1) row.append(make("td", { class: column > 4 ? "number" : "" }));
      this.rows.set(known.number, row);
      this.body.append(row);
    }
    row.classList.toggle("over", known.is_over);
    const before = this.before.get(known.number);
    const rate = (value, old) => (before && seconds > 0 ? (value - old) / seconds : null);
    if (before && seconds >= 0.9) {
      row.rates = [
        rate(known.to_server.packets, before.to_server.packets),
        rate(known.to_client.packets, before.to_client.packets),
        rate(known.to_server.bytes + known.to_client.bytes, before.to_server.bytes + before.to_client.bytes) / 1000,
      ];
    }
    const [up, down, bytes] = row.rates || [null, null, null];
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
    texts.forEach((text, column) => setText(row.cells[column], text));
    row.cells[11].classList.toggle("bad", known.errors > 0);
  }

  pick(conversation) {
    this.onchoose(conversation === this.chosen ? null : conversation);
  }

  key(event, conversation) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.pick(conversation);
    }
    const next = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    if (next && event.currentTarget[next]) {
      event.preventDefault();
      event.currentTarget[next].focus();
    }
  }
}
