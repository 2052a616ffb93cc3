// Other programs that publish to the same NATS server.

import { byId, make, number, setText } from "./dom.js";

const COLUMNS = ["Proxy", "#", "Player", "Dialect", "State", "Client", "Packets", "Trip ms", ""];
// Maximum number of conversations of a proxy in the table.
const MAX_SHOWN = 200;

/** @import { Status } from "../types/api.js" */

export class Fleet {
  constructor() {
    this.box = byId("fleet");
    this.state = make("span", { id: "fleet-state" });
    this.body = make("tbody");
    /**
     * Reuse the elements of rows, so that a link keeps its focus.
     * @type {Map<string, HTMLTableRowElement>}
     */
    this.rows = new Map();
    const head = make("tr", {}, ...COLUMNS.map((name) => make("th", { scope: "col" }, name)));
    this.box.append(
      make("div", { class: "bar" }, make("h2", {}, "Fleet"), this.state),
      make("div", { class: "scroll" }, make("table", { id: "fleet-table" }, make("thead", {}, head), this.body)));
  }

  /** @param {Status["fleet"]} fleet */
  update(fleet) {
    this.box.hidden = !fleet;
    if (!fleet) return;
    setText(this.state, fleet.state);
    this.state.className = fleet.is_connected ? "good" : "bad";
    /** @type {HTMLTableRowElement[]} */
    const wanted = [];
    for (const proxy of fleet.proxies) {
      const dropped = proxy.records_dropped > 0 ? `, ${proxy.records_dropped} records dropped` : "";
      const count = `${proxy.conversations.length} conversations${dropped}`;
      const texts = [proxy.name, "", "", "", proxy.is_gone ? "gone" : count, proxy.listen, `${proxy.packets}`, ""];
      wanted.push(this.row(`${proxy.name}/`, texts, proxy.is_gone, proxy.page, "open its page"));
      for (const known of proxy.conversations.slice(0, MAX_SHOWN)) {
        const state = proxy.is_gone ? "gone" : known.state;
        const trip = number(known.round_trip_ms, 1);
        const values = ["", `${known.number}`, known.name || "", known.dialect, state, known.client, `${known.packets}`, trip];
        const page = proxy.page && `${proxy.page}#conversation=${known.number}`;
        const row = this.row(`${proxy.name}/${known.number}`, values, proxy.is_gone || known.is_over, page, "open it");
        row.dataset.proxy = proxy.name;
        wanted.push(row);
      }
    }
    const kept = new Set(wanted);
    for (const [key, row] of this.rows) {
      if (!kept.has(row)) {
        row.remove();
        this.rows.delete(key);
      }
    }
    wanted.forEach((row, index) => {
      if (this.body.children[index] !== row) this.body.insertBefore(row, this.body.children[index] || null);
    });
  }

  /**
   * @param {string} key
   * @param {string[]} texts
   * @param {boolean} isOver
   * @param {string | null} page
   * @param {string} label
   */
  row(key, texts, isOver, page, label) {
    let row = this.rows.get(key);
    if (!row) {
      const first = key.endsWith("/") ? make("th", { scope: "row" }) : make("td");
      row = make("tr", {}, first, ...COLUMNS.slice(1).map((name) => make("td", { class: /^(Packets|Trip)/.test(name) ? "number" : "" })));
      this.rows.set(key, row);
    }
    row.classList.toggle("over", isOver);
    for (const [column, text] of texts.entries()) setText(row.cells[column], text);
    const cell = row.cells[COLUMNS.length - 1];
    if (!page) cell.replaceChildren();
    else if (cell.firstChild) /** @type {HTMLAnchorElement} */ (cell.firstChild).href = page;
    else cell.append(make("a", { href: page, target: "_blank", rel: "noreferrer" }, label));
    return row;
  }
}
