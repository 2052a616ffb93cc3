// Pasted bytes, such as bytes from a bug report. The URL contains them, so that it can be shared.

import { explain } from "./api.js";
import { byId, make, setText } from "./dom.js";

/**
 * @import { About } from "../types/api.js"
 * @import { Details } from "./details.js"
 */

export class Paste {
  /**
   * @param {About} about
   * @param {Details} details
   */
  constructor(about, details) {
    this.details = details;
    this.maxText = about.max_hex_bytes * 8;
    this.dialog = byId("paste-dialog");
    // The latest request.
    this.asked = {};
    const ways = about.ways.map((way) => make("option", { value: way }, way));
    byId("paste-way").append(make("option", { value: "" }, "guess"), ...ways);
    byId("paste-explain").addEventListener("click", () => this.submit());
    byId("paste-hex").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.submit();
    });
    addEventListener("hashchange", () => this.fromAddress());
  }

  open() {
    setText(byId("paste-error"), "");
    if (!this.dialog.open) this.dialog.showModal();
    byId("paste-hex").focus();
  }

  async submit() {
    const problem = await this.explain(byId("paste-hex").value, byId("paste-way").value);
    if (problem === null) this.dialog.close();
    else setText(byId("paste-error"), problem);
  }

  /**
   * Explains bytes, and puts them into the URL. Returns what is wrong with them, or null.
   * @param {string} hex
   * @param {string} way
   */
  async explain(hex, way) {
    if (hex.length > this.maxText) return "There are too many bytes for this; save them as a capture file.";
    const asked = {};
    this.asked = asked;
    try {
      const answer = await explain({ hex, way });
      if (this.asked !== asked) return null;
      const address = new URLSearchParams({ hex: answer.hex });
      if (way) address.set("way", way);
      history.replaceState(null, "", `#${address}`);
      this.details.explained(answer, (other) => this.explainHere(answer.hex, other));
      return null;
    } catch (problem) {
      return /** @type {Error} */ (problem).message;
    }
  }

  /**
   * Explains bytes that were not typed into the dialog, and opens it if they cannot be explained.
   * @param {string} hex
   * @param {string} way
   */
  async explainHere(hex, way) {
    byId("paste-hex").value = hex;
    byId("paste-way").value = way;
    const problem = await this.explain(hex, way);
    if (problem === null) return;
    this.open();
    setText(byId("paste-error"), problem);
  }

  // Explains the bytes in the URL.
  async fromAddress() {
    if (location.hash.length > this.maxText) {
      this.open();
      setText(byId("paste-error"), "The link holds too many bytes.");
      return;
    }
    const address = new URLSearchParams(location.hash.slice(1));
    const hex = address.get("hex");
    if (hex) await this.explainHere(hex, address.get("way") || "");
  }
}
