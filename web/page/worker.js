// The worker of the page: it has the WebAssembly and the GPU, so that the page stays alive whatever a run takes.
//
// In:  {kind: "start", puzzle, preset, parameters, seed, on}, {kind: "pause"}, {kind: "go"}, {kind: "step"}, {kind: "drawn"},
//      {kind: "read", text}, {kind: "measure", puzzle, largest, machine}, {kind: "compare", puzzle, boards}, {kind: "stop"}
// Out: {kind: "ready", ...}, {kind: "read", ...}, {kind: "unread", text}, {kind: "started", ...}, {kind: "told", ...},
//      {kind: "ended", ...}, {kind: "measuring", ...}, {kind: "measured", ...}, {kind: "compared", ...}, {kind: "error", text}
//
// A run, a measurement or a comparison is an activity. Each ends the one before, and begins once that one has ended:
//
//     running --another activity, or "stop"--> ending (what it has begun is completed) --> the next one
import init, { Bench, Run, loseDevice, openAdapter, presets, puzzles, readPuzzle } from "./evodoku.js";

// A step should take about as long as two frames.
const STEP_MS = 33;
const MOST_GENERATIONS = 4096;
const MOST_PICTURED = 4_000_000;
// Boards that are compared between two messages.
const BATCH = 100_000;

let lost = false; // whether the device failed, so that what comes next asks for another
let serial = 0; // of the activity that is wanted
let current = Promise.resolve(); // ends with the activity before
let paused = false;
let runs = false; // whether the activity that is wanted is a run
let stepping = false;
let wake = null; // ends the pause
let drawn = true; // whether the page has drawn the last picture: no other is copied before

function tell(kind, what = {}, transfer = []) {
  postMessage({ kind, ...what }, transfer);
}

function fail(error, id) {
  tell("error", { id, text: String(error?.message ?? error) });
}

// Begins an activity; it is told by `isOver` when it is no longer wanted.
function begin(activity, { id, over = () => {} } = {}) {
  const mine = ++serial;
  const isOver = () => mine !== serial;
  wake?.();
  current = current.then(() => (isOver() ? null : activity(isOver))).catch((error) => {
    // It may be the device that failed.
    lost = true;
    if (!isOver()) fail(error, id);
  }).then(over);
}

// Lets messages of the page come in between.
const { port1: turns, port2: ask } = new MessageChannel();
const breathe = () => new Promise((resolve) => { turns.onmessage = resolve; ask.postMessage(0); });

async function reopen() {
  if (!lost || !navigator.gpu) return;
  await openAdapter();
  lost = false;
}

async function evolve({ id, puzzle, preset, parameters, seed, on }, isOver) {
  if (on === "gpu") await reopen();
  const run = new Run(puzzle, preset, JSON.stringify(parameters), seed, on);
  try {
    const about = JSON.parse(run.about());
    tell("started", { id, about, puzzle: JSON.parse(readPuzzle(puzzle)) });
    for (let generations = 1, isFirst = true; ; isFirst = false) {
      while (paused && !isOver()) await new Promise((resolve) => { wake = resolve; });
      if (isOver()) return;
      const begun = performance.now();
      const state = JSON.parse(await run.step(isFirst || stepping ? 1 : generations));
      const took = performance.now() - begun;
      if (state.warning) lost = true;
      if (!isFirst) generations = Math.min(Math.max(1, Math.round(generations * Math.min(2, STEP_MS / Math.max(took, 1)))), MOST_GENERATIONS);
      const isPictured = about.population <= MOST_PICTURED && (drawn || stepping || state.ending);
      // Where the run ended within a batch of the GPU, its last population is gone, but its result is not.
      const fitness = isPictured ? await run.fitness().catch((error) => { if (state.ending) return null; throw error; }) : null;
      if (isOver()) return;
      if (fitness) drawn = false;
      tell("told", { id, state, fitness }, fitness ? [fitness.buffer] : []);
      if (stepping) [stepping, paused] = [false, true];
      if (state.ending) {
        tell("ended", { id, result: JSON.parse(run.result()) });
        return;
      }
      await breathe();
    }
  } finally {
    run.free();
  }
}

async function measure({ puzzle, largest, machine }, isOver) {
  await reopen();
  const bench = await Bench.of(puzzle, largest);
  const report = () => JSON.parse(bench.export(JSON.stringify(machine)));
  try {
    const count = bench.count();
    for (let number = 0; number < count; number++) {
      tell("measuring", { number, count, task: bench.task(number), report: report() });
      await breathe();
      if (isOver()) break;
      await bench.measure(number);
    }
    tell("measured", { report: report() });
  } finally {
    bench.free();
  }
}

async function compare({ puzzle, boards }, isOver) {
  await reopen();
  const bench = await Bench.of(puzzle, BATCH);
  const found = [false, true].map((legal) => ({ legal, boards: 0, mismatches: 0 }));
  try {
    for (const one of found) {
      while (one.boards < boards && !isOver()) {
        tell("compared", { found, isOver: false });
        await breathe();
        const count = Math.min(BATCH, boards - one.boards);
        one.mismatches += await bench.mismatches(one.legal, one.boards / BATCH, count);
        one.boards += count;
      }
    }
    tell("compared", { found, isOver: true });
  } finally {
    bench.free();
  }
}

onmessage = ({ data }) => {
  switch (data.kind) {
    case "start":
      [paused, stepping, drawn, runs] = [false, false, true, true];
      begin((isOver) => evolve(data, isOver), { id: data.id });
      break;
    case "measure": runs = false; begin((isOver) => measure(data, isOver), { over: () => tell("unmeasured") }); break;
    case "compare": runs = false; begin((isOver) => compare(data, isOver), { over: () => tell("unmeasured") }); break;
    case "stop": if (!runs) begin(() => null); break;
    case "pause": paused = true; break;
    case "go": paused = false; wake?.(); break;
    case "step": [stepping, paused] = [true, false]; wake?.(); break;
    case "drawn": drawn = true; break;
    case "lose": loseDevice(); break;
    case "read":
      try {
        tell("read", { puzzle: JSON.parse(readPuzzle(data.text)) });
      } catch (error) {
        tell("unread", { text: String(error.message ?? error) });
      }
  }
};

// What a browser says of its GPU, which is little.
async function describe(adapter) {
  const { info } = (await navigator.gpu.requestAdapter({ powerPreference: "high-performance" })) ?? {};
  const name = [info?.description || info?.device, info?.vendor, info?.architecture].filter(Boolean).join(", ");
  const isSoftware = info?.isFallbackAdapter || /swiftshader|llvmpipe|basic render/i.test(`${name} ${adapter.name}`);
  return { ...adapter, name: name || adapter.name, software: adapter.software || Boolean(isSoftware) };
}

try {
  await init({ module_or_path: new URL("evodoku_bg.wasm", import.meta.url) });
  let adapter = null;
  let reason = "This browser has no WebGPU";
  if (navigator.gpu) {
    try {
      adapter = JSON.parse(await openAdapter());
      reason = "This browser does not offer a GPU to pages";
      if (adapter) adapter = await describe(adapter);
    } catch (error) {
      reason = String(error.message ?? error);
    }
  }
  tell("ready", { adapter, reason, puzzles: JSON.parse(puzzles()), presets: JSON.parse(presets()) });
} catch (error) {
  fail(error);
}
