// Other programs that publish to the same NATS server.

import { byId, make } from "./dom.js";

export class Fleet {
  constructor() {
    this.box = byId("fleet");
  }

  update(fleet) {
    this.box.hidden = !fleet;
    if (!fleet) return;
    const rows = fleet.proxies.flatMap((proxy) => this.rows(proxy));
    const head = ["Proxy", "#", "Dialect", "State", "Client", "Packets", "Trip ms", ""].map((name) => make("th", { scope: "col" }, name));
    this.box.replaceChildren(
      make("div", { class: "bar" }, make("h2", {}, "Fleet"), make("span", { class: fleet.is_connected ? "good" : "bad", id: "fleet-state" }, fleet.state)),
      make("div", { class: "scroll" }, make("table", { id: "fleet-table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows))));
  }

  rows(proxy) {
    const open = proxy.page ? make("a", { href: proxy.page, target: "_blank", rel: "noreferrer" }, "open its page") : "";
    const head = make("tr", { class: proxy.is_gone ? "over" : "" }, make("th", { scope: "row" }, proxy.name), make("td"), make("td"),
      make("td", {}, proxy.is_gone ? "gone" : `${proxy.conversations.length} conversations`), make("td", {}, proxy.listen), make("td", { class: "number" }, `${proxy.packets}`), make("td"), make("td", {}, open));
    const rows = proxy.conversations.slice(0, 200).map((known) => make("tr", { class: proxy.is_gone || known.is_over ? "over" : "", "data-proxy": proxy.name },
      make("td"), make("td", {}, `${known.number}`), make("td", {}, known.dialect), make("td", {}, proxy.is_gone ? "gone" : known.state), make("td", {}, known.client),
      make("td", { class: "number" }, `${known.packets}`), make("td", { class: "number" }, known.round_trip_ms === null ? "" : known.round_trip_ms.toFixed(1)), make("td")));
    return [head, ...rows];
  }
}
