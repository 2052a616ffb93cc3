// Charts of the last two minutes: packets per second, round trip, lost and resent packets.

import { byId, make } from "./dom.js";

/**
 * @import { History, Status } from "../types/api.js"
 *
 * Figures of a conversation, or of all together.
 * @typedef {{ up: number, down: number, lost: number, resent: number, round_trip_ms: number | null }} Figures
 */

const SECONDS = 120;
// Maximum number of points, at most one a second.
const MAX_POINTS = 120;

export class Charts {
  constructor() {
    this.box = byId("charts");
    /** @type {uPlot[]} */
    this.plots = [];
    /** @type {number | null} */
    this.chosen = null;
    /**
     * The figures by the number of their conversation, and by 0 for all.
     * @type {{ time: number, of: Map<number, Figures> }[]}
     */
    this.history = [];
    this.make();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.make());
    new ResizeObserver(() => this.resize()).observe(this.box);
  }

  clear() {
    this.chosen = null;
    this.history = [];
    this.draw();
  }

  /**
   * Replaces the figures by those that the program has recorded.
   * @param {History} recorded
   */
  load({ samples }) {
    this.history = samples.map(({ time, figures }) => ({ time, of: new Map(figures.map((one) => [one.number, one])) }));
    this.draw();
  }

  /** @param {number | null} conversation */
  choose(conversation) {
    this.chosen = conversation;
    this.draw();
  }

  make() {
    const style = getComputedStyle(document.documentElement);
    /** @param {string} name */
    const color = (name) => style.getPropertyValue(name).trim();
    const axis = { stroke: color("--dim"), grid: { stroke: color("--line") }, ticks: { stroke: color("--line") }, font: "11px sans-serif", size: 44 };
    const time = { ...axis, size: 28, values: (/** @type {uPlot} */ _, /** @type {number[]} */ ticks) => ticks.map((tick) => `${Math.round(tick)} s`) };
    /**
     * @param {string} title
     * @param {object[]} series
     */
    const chart = (title, series) => ({
      title, width: 260, height: 112, legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false, range: [-SECONDS, 0] }, y: { range: (/** @type {uPlot} */ _, /** @type {number} */ _low, /** @type {number | null} */ high) => [0, Math.max(1, high || 0)] } },
      axes: [time, axis], series: [{}, ...series],
    });
    /** @param {string} name */
    const line = (name) => ({ stroke: color(name), width: 1.5, points: { show: false } });
    // A plot has listeners outside of the box.
    for (const plot of this.plots) plot.destroy();
    this.box.replaceChildren();
    /** @param {ReturnType<typeof chart>} options */
    const add = (options) => {
      const box = make("div", { class: "chart" });
      this.box.append(box);
      return new uPlot(options, [[], ...options.series.slice(1).map(() => [])], box);
    };
    this.plots = [
      add(chart("packets/s: up (blue), down (purple)", [line("--client"), line("--server")])),
      add(chart("mean round trip, ms", [line("--good")])),
      add(chart("lost (red), resent (orange)", [line("--bad"), line("--warn")])),
    ];
    this.resize();
    this.draw();
  }

  resize() {
    const width = Math.max(180, Math.floor((this.box.clientWidth - 40) / Math.min(3, Math.max(1, Math.floor(this.box.clientWidth / 200)))));
    for (const plot of this.plots) plot.setSize({ width: Math.min(width, 420), height: 112 });
  }

  /** @param {Status} status */
  update(status) {
    const last = this.history[this.history.length - 1];
    // The clock of the program can be set back.
    if (last && status.time < last.time) this.history = [];
    else if (last && status.time - last.time < 0.9) return;
    /** @type {Map<number, Figures>} */
    const of = new Map();
    /** @type {Figures} */
    const total = { up: 0, down: 0, lost: 0, resent: 0, round_trip_ms: null };
    /** @type {number[]} */
    const trips = [];
    for (const known of status.conversations) {
      const one = {
        up: known.to_server.packets, down: known.to_client.packets,
        lost: known.to_server.lost + known.to_client.lost, resent: known.to_server.resent + known.to_client.resent,
        round_trip_ms: known.is_over ? null : known.round_trip_ms,
      };
      of.set(known.number, one);
      total.up += one.up;
      total.down += one.down;
      total.lost += one.lost;
      total.resent += one.resent;
      if (one.round_trip_ms !== null) trips.push(one.round_trip_ms);
    }
    if (trips.length > 0) total.round_trip_ms = trips.reduce((sum, trip) => sum + trip, 0) / trips.length;
    of.set(0, total);
    this.history.push({ time: status.time, of });
    if (this.history.length > MAX_POINTS) this.history.shift();
    this.draw();
  }

  draw() {
    const history = this.history;
    const now = history.length > 0 ? history[history.length - 1].time : 0;
    /** @type {number[]} */
    const times = [], up = [], down = [], lost = [], resent = [];
    /** @type {(number | null)[]} */
    const trips = [];
    for (let index = 1; index < history.length; index += 1) {
      const one = history[index].of.get(this.chosen ?? 0), before = history[index - 1].of.get(this.chosen ?? 0);
      if (!one || !before) continue;
      const seconds = history[index].time - history[index - 1].time;
      /** @param {"up" | "down" | "lost" | "resent"} name */
      const rate = (name) => Math.max(0, (one[name] - before[name]) / seconds);
      times.push(history[index].time - now);
      up.push(rate("up"));
      down.push(rate("down"));
      lost.push(rate("lost"));
      resent.push(rate("resent"));
      trips.push(one.round_trip_ms);
    }
    this.plots[0].setData([times, up, down]);
    this.plots[1].setData([times, trips]);
    this.plots[2].setData([times, lost, resent]);
  }
}
