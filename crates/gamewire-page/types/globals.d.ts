// The parts of uPlot that the page uses, and the page for scripts in the console.

declare class uPlot {
  constructor(options: { title: string; series: object[]; [name: string]: unknown }, data: (number | null)[][], box: HTMLElement);
  setData(data: (number | null)[][]): void;
  setSize(size: { width: number; height: number }): void;
  destroy(): void;
}

declare var gamewire: import("../assets/app.js").App;
