// The details of a packet: its fields next to its bytes, and a view for its protocol.

import { get, RequestError } from "./api.js";
import { Bytes } from "./bytes.js";
import { byId, make, setText } from "./dom.js";
import { MapPicture } from "./map.js";
import { protocolViews } from "./protocol_views.js";
import { snapshotView } from "./snapshot.js";
import { Tree } from "./tree.js";

export class Details {
  constructor(about, onjump) {
    this.onjump = onjump;
    this.body = byId("details-body");
    this.tabs = byId("tabs");
    this.source = null;
    this.tab = "fields";
    this.back = byId("details-back");
    this.error = byId("details-error");
    this.map = new MapPicture();
  }

  setSource(source) {
    this.source = source;
  }

  // Shows a packet of a source, with a link back to packet `back`. Returns false if the packet is no longer kept, or
  // if another one was requested meanwhile.
  async show(source, number, back = null) {
    const asked = (this.asked = `${source}/${number}`);
    let packet;
    try {
      packet = await get("packet", { source, number });
    } catch (problem) {
      if (this.asked !== asked) return false;
      const isMissing = problem instanceof RequestError;
      setText(this.error, isMissing ? `Packet ${number} is no longer kept: only the latest ones are.` : `The program does not answer: ${problem.message}`);
      this.error.hidden = false;
      return false;
    }
    if (this.asked !== asked) return false;
    this.error.hidden = true;
    this.back.hidden = back === null || back === number;
    setText(this.back, `Back to ${back}`);
    this.back.onclick = () => this.onjump(back);
    setText(byId("details-title"), `Packet ${number}`);
    this.body.scrollTop = 0;
    const tabs = [["fields", "Fields", () => this.packet(packet)]];
    if (packet.has_snapshot) {
      tabs.push(["snapshot", "Snapshot", async () => make("div", {}, this.notes(packet.notes), await snapshotView(source, number))]);
    }
    if (packet.protocol === "freeciv") tabs.push(["map", "Map", () => this.map.view(source, packet.conversation)]);
    this.drawTabs(tabs);
    return true;
  }

  drawTabs(tabs) {
    if (!tabs.some(([name]) => name === this.tab)) this.tab = "fields";
    this.tabs.replaceChildren(...tabs.map(([name, title, draw]) => make("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-selected": name === this.tab ? "true" : "false",
      onclick: async () => {
        this.tab = name;
        this.drawTabs(tabs);
      },
    }, title)));
    if (tabs.length === 1) this.tabs.replaceChildren();
    const draw = tabs.find(([name]) => name === this.tab)[2];
    this.showBody(draw());
  }

  // Shows an element, or a promise of one if nothing else is shown before it.
  async showBody(drawn) {
    const drawing = (this.drawing = {});
    let element;
    try {
      element = await drawn;
    } catch (problem) {
      element = make("p", { class: "hint" }, problem.message);
    }
    if (this.drawing === drawing) this.body.replaceChildren(element);
  }

  packet(packet) {
    const facts = make("p", { class: "facts" },
      `${packet.timestamp} · conversation ${packet.conversation} · ${packet.dialect} · ${packet.from} → ${packet.to} · ${packet.length} bytes`);
    return make("div", {}, facts, this.notes(packet.notes), this.fields(packet));
  }

  notes(notes) {
    if (notes.length === 0) return null;
    const jump = (number, text) => make("button", { type: "button", onclick: () => this.onjump(number) }, text);
    return make("ul", { class: "notes warn" }, ...notes.map((note) => make("li", {}, note.text, ...note.links.flatMap((link) => [" ", jump(link.number, link.text)]))));
  }

  // Shows the fields next to the bytes. Pointing at one marks the other.
  fields({ tree, sources, protocol }) {
    const fields = new Tree(tree, (node) => bytes.mark(node.s, node.b, node.n || "value"));
    const bytes = new Bytes(sources, protocol !== "teeworlds", (source, at) => fields.markByte(source, at));
    return make("div", { class: "split" }, make("div", {}, ...protocolViews(protocol, tree), fields.element), make("div", { class: "side" }, bytes.element));
  }

  // Shows pasted bytes.
  explained(answer, onway) {
    setText(byId("details-title"), `Pasted bytes as ${answer.way}`);
    this.tabs.replaceChildren();
    this.asked = "pasted";
    this.back.hidden = true;
    this.error.hidden = true;
    this.body.scrollTop = 0;
    const parts = [make("p", { class: "facts" }, answer.shown.summary)];
    if (answer.is_certain === false) {
      parts.push(make("p", { class: "warn", id: "ask-way" }, "Several dialects fit, or none does well. Which one is it?"));
    }
    const likely = (answer.ways || []).filter((way) => way.way !== answer.way).slice(0, 8);
    if (likely.length > 0) {
      parts.push(make("div", { class: "ways" }, "Read as: ", ...likely.map((way) => make("button", {
        type: "button", title: way.summary, onclick: () => onway(way.way),
      }, `${way.way}${way.errors > 0 ? " (errors)" : way.warnings > 0 ? " (warnings)" : ""}`))));
    }
    this.showBody(make("div", {}, ...parts, this.fields(answer.shown)));
  }
}
