// Pasted bytes, such as bytes from a bug report. The URL contains them, so that it can be shared.

import { postJson } from "./api.js";
import { byId, make, setText } from "./dom.js";

export class Paste {
  constructor(about, details) {
    this.details = details;
    this.maxText = about.max_hex_bytes * 8;
    this.dialog = byId("paste-dialog");
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
    const hex = byId("paste-hex").value;
    const way = byId("paste-way").value;
    if (await this.explain(hex, way)) this.dialog.close();
  }

  // Explains bytes, and puts them into the URL.
  async explain(hex, way) {
    const error = byId("paste-error");
    if (hex.length > this.maxText) {
      setText(error, "There are too many bytes for this; save them as a capture file.");
      return false;
    }
    try {
      const answer = await postJson("explain", { hex, way });
      const address = new URLSearchParams({ hex: answer.hex });
      if (way) address.set("way", way);
      history.replaceState(null, "", `#${address}`);
      this.details.explained(answer, (other) => this.explain(answer.hex, other));
      return true;
    } catch (problem) {
      setText(error, problem.message);
      return false;
    }
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
    if (!hex) return;
    byId("paste-hex").value = hex;
    byId("paste-way").value = address.get("way") || "";
    if (!(await this.explain(hex, address.get("way") || ""))) {
      const error = byId("paste-error").textContent;
      this.open();
      setText(byId("paste-error"), error);
    }
  }
}
