// The details of a packet: its fields next to its bytes, and a view for its protocol.

import { get, RequestError } from "./api.js";
import { Bytes } from "./bytes.js";
import { byId, make, setText } from "./dom.js";
import { mapView } from "./map.js";
import { protocolViews } from "./protocol_views.js";
import { snapshotView } from "./snapshot.js";
import { Tree } from "./tree.js";

/**
 * @import { Explained, Packet } from "../types/api.js"
 * @import { TreeNode } from "./tree.js"
 *
 * Name, title and content of a tab.
 * @typedef {[string, string, () => HTMLElement | Promise<HTMLElement>]} Tab
 */

export class Details {
  /** @param {(number: number) => void} onjump */
  constructor(onjump) {
    this.onjump = onjump;
    this.body = byId("details-body");
    this.tabs = byId("tabs");
    this.tab = "fields";
    this.back = byId("details-back");
    this.error = byId("details-error");
    // What was requested last, and the content that is drawn last.
    this.asked = "";
    this.drawing = {};
  }

  /**
   * Shows a packet of a source, with a link back to packet `back`. Returns false if the packet is no longer kept, or
   * if another one was requested meanwhile.
   * @param {number} source
   * @param {number} number
   * @param {number | null} back
   */
  async show(source, number, back = null) {
    const asked = `${source}/${number}`;
    this.asked = asked;
    let packet;
    try {
      packet = await get("packet", { source, number });
    } catch (problem) {
      if (this.asked !== asked) return false;
      const isMissing = problem instanceof RequestError;
      setText(this.error, isMissing ? `Packet ${number} is no longer kept: only the latest ones are.` : `The program does not answer: ${problem}`);
      this.error.hidden = false;
      return false;
    }
    if (this.asked !== asked) return false;
    this.error.hidden = true;
    this.back.hidden = back === null || back === number;
    setText(this.back, `Back to ${back}`);
    this.back.onclick = () => back !== null && this.onjump(back);
    setText(byId("details-title"), `Packet ${number}`);
    this.body.scrollTop = 0;
    /** @type {Tab[]} */
    const tabs = [["fields", "Fields", () => this.packet(packet)]];
    if (packet.has_snapshot) {
      tabs.push(["snapshot", "Snapshot", async () => make("div", {}, this.notes(packet.notes), await snapshotView(source, number))]);
    }
    if (packet.protocol === "freeciv") tabs.push(["map", "Map", () => mapView(source, packet.conversation)]);
    this.drawTabs(tabs);
    return true;
  }

  /** @param {Tab[]} tabs */
  drawTabs(tabs) {
    if (!tabs.some(([name]) => name === this.tab)) this.tab = "fields";
    this.tabs.replaceChildren(...tabs.map(([name, title]) => make("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-selected": name === this.tab ? "true" : "false",
      onclick: () => {
        this.tab = name;
        this.drawTabs(tabs);
      },
    }, title)));
    if (tabs.length === 1) this.tabs.replaceChildren();
    const chosen = tabs.find(([name]) => name === this.tab);
    if (chosen) this.showBody(chosen[2]());
  }

  /**
   * Shows an element, or a promise of one if nothing else is shown before it.
   * @param {HTMLElement | Promise<HTMLElement>} drawn
   */
  async showBody(drawn) {
    const drawing = {};
    this.drawing = drawing;
    let element;
    try {
      element = await drawn;
    } catch (problem) {
      element = make("p", { class: "hint" }, /** @type {Error} */ (problem).message);
    }
    if (this.drawing === drawing) this.body.replaceChildren(element);
  }

  /** @param {Packet} packet */
  packet(packet) {
    const facts = make("p", { class: "facts" },
      `${packet.timestamp} · conversation ${packet.conversation} · ${packet.dialect} · ${packet.from} → ${packet.to} · ${packet.length} bytes`);
    return make("div", {}, facts, this.notes(packet.notes), this.fields(packet));
  }

  /** @param {Packet["notes"]} notes */
  notes(notes) {
    if (notes.length === 0) return null;
    return make("ul", { class: "notes warn" }, ...notes.map((note) => make("li", {}, note.text, ...note.links.flatMap(({ number, text }) => [
      " ", make("button", { type: "button", onclick: () => this.onjump(number) }, text),
    ]))));
  }

  /**
   * Shows the fields next to the bytes. Pointing at one marks the other.
   * @param {{ tree: TreeNode[], sources: Packet["sources"], protocol: string }} packet
   */
  fields({ tree, sources, protocol }) {
    const fields = new Tree(tree, (node) => bytes.mark(node.s, node.b, node.n || "value"));
    const bytes = new Bytes(sources, protocol !== "teeworlds", (source, at) => fields.markByte(source, at));
    return make("div", { class: "split" }, make("div", {}, ...protocolViews(protocol, tree), fields.element), make("div", { class: "side" }, bytes.element));
  }

  /**
   * Shows pasted bytes.
   * @param {Explained} answer
   * @param {(way: string) => void} onway
   */
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
