// The worker of the page: it has the WebAssembly and the GPU, so that the page stays alive whatever a run takes.
//
// In:  {kind: "start", puzzle, preset, parameters, seed, on, paused}, {kind: "pause"}, {kind: "go"}, {kind: "step"}, {kind: "read", text}
// Out: {kind: "ready", ...}, {kind: "read", ...}, {kind: "started", ...}, {kind: "told", ...}, {kind: "ended", ...}, {kind: "error", ...}
import init, { Run, loseDevice, openAdapter, presets, puzzles, readPuzzle } from "./evodoku.js";

// A step should take about as long as two frames.
const STEP_MS = 33;
const MOST_PICTURED = 4_000_000;

let run = null;
let lost = false; // whether the device failed, so that the next run asks for another
let serial = 0; // of the run that is wanted; another one ends the loop of the one before
let paused = false;
let wake = null;

function tell(kind, what = {}, transfer = []) {
  postMessage({ kind, ...what }, transfer);
}

function fail(error) {
  tell("error", { text: String(error?.message ?? error) });
}

async function start({ puzzle, preset, parameters, seed, on, paused: begins }) {
  const mine = ++serial;
  paused = begins;
  wake?.();
  run?.free();
  run = null;
  let mineRun;
  try {
    if (on === "gpu" && lost) {
      await openAdapter();
      lost = false;
    }
    mineRun = new Run(puzzle, preset, JSON.stringify(parameters), seed, on);
  } catch (error) {
    return fail(error);
  }
  run = mineRun;
  const about = JSON.parse(mineRun.about());
  tell("started", { about });
  let generations = 1;
  let first = true;
  try {
    for (;;) {
      while (paused && !first && mine === serial) await new Promise((resolve) => { wake = resolve; });
      if (mine !== serial) return;
      const asked = first || stepping ? 1 : generations;
      const begun = performance.now();
      const state = JSON.parse(await mineRun.step(asked));
      const took = performance.now() - begun;
      if (mine !== serial) return;
      if (state.warning) lost = true;
      if (!first) generations = Math.min(Math.max(1, Math.round(generations * Math.min(2, STEP_MS / Math.max(took, 1)))), 4096);
      first = false;
      const pictured = about.population <= MOST_PICTURED;
      const fitness = pictured ? await mineRun.fitness() : new Uint16Array(0);
      if (mine !== serial) return;
      tell("told", { state, fitness }, [fitness.buffer]);
      if (stepping) { stepping = false; paused = true; }
      if (state.ending) {
        tell("ended", { result: JSON.parse(mineRun.result()) });
        return;
      }
      // Messages of the page come in between.
      await new Promise((resolve) => { turns.onmessage = resolve; ask.postMessage(0); });
    }
  } catch (error) {
    if (mine === serial) fail(error);
  }
}

let stepping = false;
const { port1: turns, port2: ask } = new MessageChannel();

onmessage = ({ data }) => {
  switch (data.kind) {
    case "start": start(data); break;
    case "pause": paused = true; break;
    case "go": paused = false; wake?.(); break;
    case "step": stepping = true; paused = false; wake?.(); break;
    case "lose": loseDevice(); break;
    case "read":
      try {
        tell("read", { puzzle: JSON.parse(readPuzzle(data.text)) });
      } catch (error) {
        tell("unread", { text: String(error.message ?? error) });
      }
  }
};

try {
  await init({ module_or_path: new URL("evodoku_bg.wasm", import.meta.url) });
  let adapter = null;
  let reason = "This browser has no WebGPU";
  if (navigator.gpu) {
    try {
      adapter = JSON.parse(await openAdapter());
      reason = "This browser gives no GPU to pages";
    } catch (error) {
      reason = String(error.message ?? error);
    }
  }
  tell("ready", { adapter, reason, puzzles: JSON.parse(puzzles()), presets: JSON.parse(presets()) });
} catch (error) {
  fail(error);
}
