// Runs a program for wasm32-wasip1 in node: `node --no-warnings wasi.mjs PROGRAM.wasm`.

import { readFile } from "node:fs/promises";
import { argv } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1" });
const program = await WebAssembly.compile(await readFile(argv[2]));
wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject()));
