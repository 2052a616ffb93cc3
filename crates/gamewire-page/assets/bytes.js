// The bytes of a packet, down to bits, and the field that each belongs to.

import { closest, make } from "./dom.js";

/** @typedef {{ name: string, hex: string }} ByteSource */

// Number of bytes in a row.
const ROW_BYTES = innerWidth > 1700 ? 16 : 8;
// Maximum number of drawn bytes of a source.
const MAX_BYTES = 16384;

export class Bytes {
  /**
   * `lowestFirst`: bit 0 of a byte is its lowest bit, as in Riptide and Freeciv.
   * @param {ByteSource[]} sources
   * @param {boolean} lowestFirst
   * @param {(source: number, at: number) => void} onbyte
   */
  constructor(sources, lowestFirst, onbyte) {
    this.lowestFirst = lowestFirst;
    /** @type {HTMLElement[][]} */
    this.cells = [];
    /** @type {HTMLElement[][]} */
    this.letters = [];
    this.values = sources.map((source) => (source.hex.match(/../g) || []).map((pair) => parseInt(pair, 16)));
    this.bits = make("div", { class: "bits", "aria-live": "polite" });
    this.element = make("div", {}, this.bits, ...sources.map((source, index) => this.source(source, index, onbyte)));
    /** @type {HTMLElement[]} */
    this.marked = [];
  }

  /**
   * @param {ByteSource} source
   * @param {number} index
   * @param {(source: number, at: number) => void} onbyte
   */
  source(source, index, onbyte) {
    const box = make("div", { class: "bytes", "data-source": index }, make("h3", {}, `${source.name}, ${this.values[index].length} bytes`));
    this.cells[index] = [];
    this.letters[index] = [];
    const values = this.values[index];
    const shown = values.slice(0, MAX_BYTES);
    for (let start = 0; start < shown.length; start += ROW_BYTES) {
      const row = make("div", { class: "byte-row" }, make("span", { class: "offset" }, start.toString(16).padStart(4, "0")));
      const letters = make("span", { class: "letters" });
      for (let at = start; at < start + ROW_BYTES; at += 1) {
        if (at >= shown.length) {
          row.append(make("span", { class: "byte" }, "\u00a0\u00a0"));
          continue;
        }
        const cell = make("span", { class: "byte", "data-at": at }, values[at].toString(16).padStart(2, "0"));
        const letter = make("span", { class: "letter" }, values[at] >= 32 && values[at] < 127 ? String.fromCharCode(values[at]) : "·");
        row.append(cell);
        letters.append(letter);
        this.cells[index].push(cell);
        this.letters[index].push(letter);
      }
      row.append(letters);
      box.append(row);
    }
    if (values.length > shown.length) box.append(make("p", { class: "hint" }, `${values.length - shown.length} more bytes are not drawn.`));
    box.addEventListener("mouseover", (event) => {
      const cell = closest(event, "[data-at]");
      if (cell) onbyte(index, Number(cell.dataset.at));
    });
    return box;
  }

  unmark() {
    for (const element of this.marked) element.classList.remove("marked", "part");
    this.marked = [];
    this.bits.replaceChildren();
  }

  /**
   * Marks the bits from `from` to the one before `to`.
   * @param {number} source
   * @param {[number, number]} bits
   * @param {string} name
   */
  mark(source, [from, to], name) {
    this.unmark();
    const cells = this.cells[source];
    if (!cells || to <= from) return;
    const first = Math.floor(from / 8), last = Math.floor((to - 1) / 8);
    for (let at = first; at <= last && at < cells.length; at += 1) {
      const isWhole = at * 8 >= from && at * 8 + 8 <= to;
      cells[at].classList.add(isWhole ? "marked" : "part");
      this.letters[source][at].classList.add("marked");
      this.marked.push(cells[at], this.letters[source][at]);
    }
    if (cells[first]) cells[first].scrollIntoView({ block: "nearest", inline: "nearest" });
    if (from % 8 !== 0 || to % 8 !== 0) this.drawBits(source, [from, to], name);
  }

  /**
   * Draws the bits of the first bytes.
   * @param {number} source
   * @param {[number, number]} bits
   * @param {string} name
   */
  drawBits(source, [from, to], name) {
    const first = Math.floor(from / 8), last = Math.floor((to - 1) / 8);
    const bytes = [];
    for (let at = first; at <= last && at < first + 6; at += 1) {
      const value = this.values[source][at];
      const box = make("span", {}, ` byte ${at}: `);
      for (let shown = 7; shown >= 0; shown -= 1) {
        // The position of this bit in the bit order of the protocol.
        const place = at * 8 + (this.lowestFirst ? shown : 7 - shown);
        const isMarked = place >= from && place < to;
        box.append(make("span", { class: isMarked ? "bit marked" : "bit", title: `bit ${place % 8}` }, `${(value >> shown) & 1}`));
      }
      bytes.push(box);
    }
    this.bits.replaceChildren(`${name}: ${to - from} bit${to - from === 1 ? "" : "s"}`, ...bytes);
  }
}
