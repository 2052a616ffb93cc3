// The page: selects the source and handles its events.

import { get, listen, openFile, query, RequestError, RETRY_INTERVAL } from "./api.js";
import { byId, closest, make, setText } from "./dom.js";
import { Charts } from "./charts.js";
import { Controls } from "./controls.js";
import { Conversations } from "./conversations.js";
import { Details } from "./details.js";
import { Fleet } from "./fleet.js";
import { PacketList } from "./list.js";
import { Paste } from "./paste.js";

const NO_ANSWER = "The program does not answer. What it has sent stays here.";

/**
 * @import { About, Source, Status } from "../types/api.js"
 * @typedef {{ filter: string, only: string, conversation: number | null }} Filters
 */

export class App {
  /** @param {About} about */
  constructor(about) {
    /** @type {number | null} */
    this.source = null;
    /** @type {Source[]} */
    this.sources = [];
    /** @type {Filters} */
    this.selection = { filter: "", only: "", conversation: null };
    /**
     * The requests for news, while the tab is visible.
     * @type {{ close(): void } | null}
     */
    this.events = null;
    this.restarts = 0;
    this.list = new PacketList({
      onpick: (number) => this.pick(number),
      onpause: (isPaused) => this.pause(isPaused),
      onfound: (number) => this.found(number),
      onproblem: (problem) => this.problem(problem),
    });
    this.details = new Details((number) => this.jump(number));
    this.charts = new Charts();
    this.conversations = new Conversations((number) => this.select({ conversation: number }));
    this.controls = new Controls(about);
    this.fleet = new Fleet();
    this.paste = new Paste(about, this.details);
    setText(byId("title"), about.title);
    document.title = `gamewire ${about.title}`;
    this.bind();
  }

  bind() {
    const [source, filter, only, search, file] = [byId("source"), byId("filter"), byId("only"), byId("search"), byId("file")];
    source.addEventListener("change", () => this.show(Number(source.value)));
    filter.addEventListener("change", () => this.select({ filter: filter.value }));
    filter.addEventListener("search", () => this.select({ filter: filter.value }));
    only.addEventListener("change", () => this.select({ only: only.value }));
    search.addEventListener("input", () => this.list.find(search.value));
    search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.list.findNext(event.shiftKey ? -1 : 1);
    });
    byId("pause").addEventListener("click", () => this.pause(!this.list.isPaused));
    byId("paste").addEventListener("click", () => this.paste.open());
    byId("help").addEventListener("click", () => byId("help-dialog").showModal());
    byId("open-file").addEventListener("click", () => file.click());
    file.addEventListener("change", () => this.open(file.files?.[0]));
    for (const kind of ["dragenter", "dragover"]) {
      addEventListener(kind, (event) => {
        event.preventDefault();
        byId("drop").hidden = false;
      });
    }
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) byId("drop").hidden = true;
    });
    addEventListener("drop", (event) => {
      event.preventDefault();
      byId("drop").hidden = true;
      this.open(event.dataTransfer?.files[0]);
    });
    addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("visibilitychange", () => (document.hidden ? this.stopListening() : this.resume()));
    for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => byId("list").focus({ preventScroll: true }));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
      // Prevent the default, which clears the text of a search field.
      event.preventDefault();
      return byId("list").focus();
    }
    if (closest(event, "input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      "/": () => byId("filter").focus(),
      f: () => byId("search").focus(),
      c: () => this.conversations.focus(),
      o: () => byId("file").click(),
      x: () => this.paste.open(),
      "?": () => byId("help-dialog").showModal(),
    };
    if (!closest(event, "button, a")) actions[" "] = () => this.pause(!this.list.isPaused);
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  /** @param {boolean} isPaused */
  pause(isPaused) {
    this.list.setPaused(isPaused);
    byId("pause").setAttribute("aria-pressed", `${isPaused}`);
    setText(byId("pause"), isPaused ? "Go on" : "Pause");
  }

  isLive() {
    const source = this.sources.find((known) => known.number === this.source);
    return source ? source.is_live : false;
  }

  /** @param {number} source */
  values(source) {
    return { source, ...this.selection };
  }

  // Polls the state of the fleet while there is no source, because there are no events either.
  async watchFleet() {
    while (this.source === null) {
      // Continue after a failed request: the program may answer the next one.
      await get("status").then((status) => this.fleet.update(status.fleet), (problem) => this.problem(problem));
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  /**
   * Shows a source.
   * @param {number} number
   */
  async show(number) {
    this.source = number;
    this.selection.conversation = null;
    this.conversations.clear();
    this.charts.clear();
    await Promise.all([this.restart(), this.loadCharts(number)]);
  }

  /**
   * Shows the figures of a source that the program has recorded.
   * @param {number} source
   */
  async loadCharts(source) {
    try {
      const history = await get("history", { source });
      if (this.source === source) this.charts.load(history);
    } catch (problem) {
      this.problem(/** @type {Error} */ (problem));
    }
  }

  /**
   * Changes the selection. Ignores an unchanged one, because Enter in a search field fires two events, unless its
   * request has failed.
   * @param {Partial<Filters>} change
   */
  async select(change) {
    const selection = { ...this.selection, ...change };
    if (this.list.state.name !== "failed" && JSON.stringify(selection) === JSON.stringify(this.selection)) return;
    this.selection = selection;
    this.conversations.choose(this.selection.conversation);
    this.charts.choose(this.selection.conversation);
    await this.restart();
  }

  /**
   * Reloads the list with the current selection, around a packet if one is given.
   * @param {number} [around]
   */
  async restart(around) {
    if (this.source === null) return;
    const all = this.values(this.source);
    this.stopListening();
    this.restarts += 1;
    const restart = this.restarts;
    byId("download-pcapng").href = `/api/download?${query({ ...all, format: "pcapng" })}`;
    byId("download-ndjson").href = `/api/download?${query({ ...all, format: "ndjson" })}`;
    await this.list.open(all, this.isLive(), around);
    // If the selection has changed meanwhile, a later call reloads the list.
    if (restart !== this.restarts) return;
    const { state } = this.list;
    byId("filter-error").hidden = !(state.name === "failed" && state.problem instanceof RequestError);
    const values = state.name === "failed" ? { source: all.source } : all;
    this.listen({ ...values, from: this.list.next });
  }

  /**
   * Requests news, unless the tab is hidden.
   * @param {Record<string, string | number | null | undefined>} values
   */
  listen(values) {
    this.stopListening();
    if (document.hidden) return;
    this.events = listen(values, {
      status: (status) => this.status(status),
      packets: (packets) => this.list.append(packets),
      error: () => this.notice(NO_ANSWER),
      open: () => {
        this.notice(null);
        // The program did not answer before.
        const { state } = this.list;
        if (state.name === "failed" && !(state.problem instanceof RequestError)) this.restart();
      },
    });
  }

  stopListening() {
    this.events?.close();
    this.events = null;
  }

  // Continues after the tab was hidden. Rows that are not followed stay where they are.
  resume() {
    if (this.source === null) return;
    this.loadCharts(this.source);
    if (["scrolled", "paused"].includes(this.list.state.name)) {
      this.list.dispatch({ type: "interrupted" });
      this.listen(this.values(this.source));
    } else this.restart();
  }

  /**
   * Shows a packet that a search has found.
   * @param {number} number
   */
  async found(number) {
    if (!this.list.has(number)) await this.restart(number);
    this.list.choose(number);
  }

  /**
   * Shows why a request has failed.
   * @param {Error} problem
   */
  problem(problem) {
    if (!(problem instanceof RequestError)) return this.notice(NO_ANSWER);
    setText(byId("filter-error"), problem.message);
    byId("filter-error").hidden = false;
  }

  /** @param {Status} status */
  status(status) {
    this.sources = status.sources;
    const select = byId("source");
    const known = status.sources.map((source) => `${source.number}`).join();
    if (select.dataset.known !== known) {
      select.dataset.known = known;
      select.replaceChildren(...status.sources.map((source) => make("option", { value: source.number }, source.name)));
    }
    select.value = `${this.source}`;
    this.conversations.update(status);
    this.list.setNames(status.conversations);
    byId("charts").hidden = !this.isLive();
    this.charts.update(status);
    this.controls.update(status.program);
    this.fleet.update(status.fleet);
    const shown = status.sources.find((source) => source.number === status.source);
    if (shown && shown.notices.length > 0) this.notice(shown.notices.join(" · "));
    if (status.totals === null) return;
    const { packets, lost, resent, errors, missed, unrecognized, not_printed, unlisted } = status.totals;
    const parts = [`${packets} packets`, `${lost} lost`, `${resent} resent`, `${errors} errors`];
    if (shown && shown.dropped > 0) {
      const kept = shown.next - shown.first;
      parts.push(`the ${shown.is_live ? "last" : "first"} ${kept} are kept, ${shown.dropped} are not shown`);
    }
    if (unrecognized > 0) parts.push(`${unrecognized} of no known protocol`);
    if (missed > 0) parts.push(`${missed} not followed in time`);
    if (unlisted > 0) parts.push(`${unlisted} lost before their conversation was known`);
    if (not_printed > 0) parts.push(`${not_printed} not printed`);
    setText(byId("totals"), parts.join(" · "));
  }

  /** @param {string | null} sentence */
  notice(sentence) {
    showNotice(sentence);
  }

  /** @param {number} number */
  async pick(number) {
    if (this.source !== null) await this.details.show(this.source, number);
  }

  /**
   * Shows a packet. If the list does not contain it, the filters are removed and the list is reloaded around it.
   * @param {number} number
   */
  async jump(number) {
    const back = this.list.chosen;
    if (this.source === null || !(await this.details.show(this.source, number, back))) return;
    if (!this.list.has(number)) {
      this.pause(true);
      Object.assign(this.selection, { filter: "", only: "" });
      byId("filter").value = "";
      byId("only").value = "";
      await this.restart(number);
    }
    this.list.mark(number);
  }

  /** @param {File | undefined} file */
  async open(file) {
    if (!file) return;
    try {
      const source = await openFile(file);
      this.sources = [...this.sources, source];
      await this.show(source.number);
    } catch (problem) {
      this.notice(`${file.name}: ${/** @type {Error} */ (problem).message}`);
    }
    byId("file").value = "";
  }
}

/**
 * Requests what the page cannot begin without, until the program answers.
 * @template T
 * @param {() => Promise<T>} request
 */
async function persistently(request) {
  for (;;) {
    try {
      return await request();
    } catch (problem) {
      if (problem instanceof RequestError) throw problem;
      showNotice("The program does not answer: trying again.");
      await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL));
    }
  }
}

/** @param {string | null} sentence */
function showNotice(sentence) {
  const notices = byId("notices");
  notices.hidden = !sentence;
  if (sentence) setText(notices, sentence);
}

async function start() {
  const about = await persistently(() => get("about"));
  showNotice(null);
  const app = new App(about);
  globalThis.gamewire = app;
  const fields = await persistently(() => get("fields"));
  byId("fields").append(...fields.map((name) => make("option", { value: name })));
  await app.paste.fromAddress();
  const status = await persistently(() => get("status"));
  app.fleet.update(status.fleet);
  if (status.source === null) {
    app.notice("There is no traffic yet: drop a capture here, or paste bytes.");
    app.watchFleet();
    return;
  }
  app.status(status);
  await app.show(status.source);
  // Pages of a fleet link to a conversation.
  const conversation = /^#conversation=([0-9]+)$/.exec(location.hash);
  if (conversation) await app.select({ conversation: Number(conversation[1]) });
  byId("list").focus({ preventScroll: true });
}

start().catch((problem) => showNotice(problem.message));
