// Controls of the program: the conditions of the link, and a replay.

import { command } from "./api.js";
import { byId, make, setText } from "./dom.js";

/** @import { About, Status } from "../types/api.js" */

export class Controls {
  /** @param {About} about */
  constructor(about) {
    this.box = byId("controls");
    this.outcome = make("span", { role: "status" });
    this.isTyped = false;
    /** @type {(link: { to_server: string, to_client: string }) => void} */
    this.showLink = () => {};
    if (about.commands.includes("link")) this.link();
    if (about.commands.includes("close")) this.close();
    if (about.commands.includes("replay")) this.replay();
    this.box.hidden = about.commands.length === 0;
    this.box.append(this.outcome);
  }

  /** @param {string} line */
  async send(line) {
    try {
      await command(line);
      setText(this.outcome, `done: ${line}`);
      this.outcome.title = "";
      this.outcome.className = "good";
      this.isTyped = false;
    } catch (problem) {
      const { message } = /** @type {Error} */ (problem);
      setText(this.outcome, message);
      this.outcome.title = message;
      this.outcome.className = "bad";
    }
  }

  link() {
    const direction = make("select", { "aria-label": "Direction of the link" },
      ...["both", "to-server", "to-client"].map((name) => make("option", { value: name }, name)));
    const conditions = make("input", {
      id: "link", "aria-label": "Conditions of the link", placeholder: "loss=5%,delay=40ms or off", spellcheck: "false",
    });
    const set = () => this.send(`link ${direction.value} ${conditions.value.trim() || "off"}`);
    conditions.addEventListener("input", () => (this.isTyped = true));
    conditions.addEventListener("keydown", (event) => {
      if (event.key === "Enter") set();
    });
    // Show the current conditions until the user types others.
    this.showLink = ({ to_server: up, to_client: down }) => {
      if (this.isTyped) return;
      const both = up === down ? up : "";
      const present = direction.value === "both" ? both : direction.value === "to-server" ? up : down;
      if (conditions.value !== present) conditions.value = present;
      conditions.placeholder = `to server ${up}, to client ${down}`;
    };
    direction.addEventListener("change", () => (this.isTyped = false));
    this.box.append(make("label", {}, "Link ", direction), conditions,
      make("button", { id: "link-set", type: "button", onclick: set }, "Set"),
      make("button", { id: "link-off", type: "button", onclick: () => this.send(`link ${direction.value} off`) }, "Off"));
  }

  close() {
    const client = make("input", { id: "close-client", type: "number", min: "1", "aria-label": "Number of the client" });
    client.style.width = "5rem";
    this.box.append(make("label", {}, "Client ", client),
      make("button", { type: "button", onclick: () => this.send(`close ${client.value}`) }, "Close"));
  }

  replay() {
    /**
     * @param {string} name
     * @param {string} line
     */
    const button = (name, line) => make("button", { type: "button", id: `replay-${line.split(" ")[0]}`, onclick: () => this.send(line) }, name);
    const speed = make("select", { "aria-label": "Speed", onchange: () => this.send(`speed ${speed.value}`) },
      ...["0.25", "0.5", "1", "2", "4", "16"].map((value) => make("option", { value, selected: value === "1" }, `${value}×`)));
    this.box.append(button("Pause", "pause"), button("Play", "play"), button("Step", "step"), speed);
  }

  /** @param {Status["program"]} state */
  update(state) {
    if (state) this.showLink(state.link);
  }
}
