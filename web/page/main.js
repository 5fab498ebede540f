// The page: settings, boards, pictures. All work is done in worker.js.
import { drawBoard, showBoard } from "./board.js";
import { Curve } from "./curve.js";
import { connect, measuring } from "./measure.js";
import { drawLaw } from "./rates.js";
import { drawDistinct, drawFitness, drawPopulation } from "./pictures.js";

const at = (id) => document.getElementById(id);
const worker = new Worker("worker.js", { type: "module" });
const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });
const short = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3, notation: "compact" });

let known = null; // what the worker said when it was ready
let puzzle = null; // the puzzle that was read last
let shown = null; // the puzzle of the run
let serial = 0; // of the run: messages of another come too late
let isOfPuzzle = false; // whether the message is about the puzzle
let about = null; // of the run that has started
let curve = new Curve();
let told = null; // the last state of the run
let isStale = false; // whether the pictures show less than is known
let seen = null; // the board that is shown
let fitness = null; // of all individuals
let rate = null;
let running = false;
let wanted = null; // the run of the link, once the worker is ready

// --- The link ---

const fields = ["preset", "population", "seed", "presolve", "on"];

function readLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.has("puzzle")) setPuzzle(link.get("puzzle"));
  for (const field of fields) if (link.has(field)) at(field).value = link.get(field);
  const more = [...link].filter(([name]) => !["puzzle", "run", ...fields].includes(name));
  at("more").value = more.map(([name, value]) => `${name}=${value}`).join(" ");
  return link.get("run") === "1";
}

function linkOf(run) {
  const link = new URLSearchParams({ puzzle: run.puzzle, preset: run.preset, ...run.parameters, population: run.parameters.population ?? "", seed: run.seed, on: run.on, run: "1" });
  return `#${link}`;
}

// --- Settings ---

function setPuzzle(text) {
  const isName = known?.puzzles.some((one) => one.name === text) ?? /^[\w-]+$/.test(text);
  at("puzzle").value = isName ? text : "";
  at("text").value = isName ? "" : text;
}

const puzzleText = () => at("puzzle").value.trim() || at("text").value;

function chosen() {
  const population = at("population").value.replace(/[\s,_']/g, "");
  const more = at("more").value.split(/\s+/).filter(Boolean).map((one) => one.split(/=(.*)/).slice(0, 2));
  const parameters = { presolve: at("presolve").value, ...Object.fromEntries(more.map(([name, value]) => [name, value ?? ""])) };
  if (population) parameters.population = population;
  return { puzzle: puzzleText(), preset: at("preset").value, seed: at("seed").value.trim(), on: at("on").value, parameters };
}

function message(text = "", ofPuzzle = false) {
  at("message").textContent = text;
  isOfPuzzle = ofPuzzle;
}

function describe() {
  const preset = known?.presets.find((one) => one.name === at("preset").value);
  at("preset-description").textContent = preset?.description ?? "";
  explain(preset?.operators ?? []);
}

// What the operators of an algorithm do.
function explain(operators) {
  at("operators").replaceChildren(...operators.map(({ family, name, description }) => {
    const [row, term, data] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
    term.textContent = `${family}: ${name}`;
    data.textContent = description;
    row.append(term, data);
    return row;
  }));
}

function bound() {
  if (!puzzle || !known?.adapter || at("on").value !== "gpu") {
    at("population-bound").textContent = "";
    return;
  }
  const stride = Math.ceil((puzzle.side * puzzle.side) / 4) * 4;
  // Boards and fitness of an island are in one binding.
  const most = Math.floor(known.adapter.buffer_bytes / (stride + 4));
  at("population-bound").textContent = `One buffer of this GPU holds ${short.format(most)} boards; larger populations are divided into islands.`;
}

function start() {
  if (!known) return;
  message();
  const run = chosen();
  if (run.on === "gpu" && !known.adapter) {
    message(`${known.reason}: choose the CPU.`);
    return;
  }
  const preset = known.presets.find((one) => one.name === run.preset);
  if (run.on === "gpu" && !preset?.gpu) {
    message(`The GPU does not support ${run.preset}: choose the CPU.`);
    return;
  }
  at("ended").hidden = true;
  at("result").textContent = "";
  curve = new Curve();
  [told, seen, fitness, rate] = [null, null, null, null];
  wanted = run;
  at("link").href = linkOf(run);
  history.replaceState(null, "", linkOf(run));
  setRunning(true);
  at("status").textContent = "The address of this page is now a link to this run: it starts the run again and gives the same result.";
  worker.postMessage({ kind: "start", id: ++serial, ...run });
}

function setRunning(is, ended = false) {
  running = is;
  at("pause").disabled = ended;
  at("pause").textContent = is ? "Pause" : "Resume";
  at("step").disabled = ended;
}

// --- Messages of the worker ---

const replies = {
  ready({ adapter, reason, puzzles, presets }) {
    known = { adapter, reason, puzzles, presets };
    at("shipped").replaceChildren(...puzzles.map((one) => new Option(`${one.side}x${one.side}, ${one.givens} givens`, one.name)));
    at("preset").replaceChildren(...presets.map((one) => new Option(one.name)));
    at("preset").value = "cellular";
    if (!adapter) at("on").value = "wasm";
    at("device").textContent = !adapter
      ? `${reason}. The page runs on one thread of the CPU.`
      : adapter.software
        ? `The browser's GPU is a software driver${adapter.name ? ` (${adapter.name})` : ""}, which computes on the CPU: the rates here are not those of a GPU.`
        : `GPU: ${adapter.name || "the browser does not reveal its name"}.`;
    const begins = readLink();
    describe();
    worker.postMessage({ kind: "read", text: puzzleText() });
    if (begins) start();
    document.body.dataset.ready = "1";
  },
  read({ puzzle: read }) {
    puzzle = read;
    if (isOfPuzzle || (read.remark && !at("message").textContent)) message(read.remark ?? "", Boolean(read.remark));
    bound();
    if (!running && !about) {
      drawBoard(at("board"), puzzle);
      showBoard(at("board"), puzzle, puzzle.givens, null);
    }
  },
  unread({ text }) {
    puzzle = null;
    message(text, true);
  },
  started({ about: begun, puzzle: read }) {
    [about, shown] = [begun, read];
    at("command").textContent = about.command;
    if (about.idle.length) message(`Without effect in this run: ${about.idle.join(", ")}.`);
    explain(about.operators);
    at("space").textContent = about.free
      ? `Presolve leaves ${about.free} cells of this puzzle free. The encoding allows 10^${about.magnitude.toFixed(1)} boards.`
      : "Presolve leaves no cell of this puzzle free: there is nothing to evolve.";
  },
  told({ state, fitness: copied }) {
    told = state;
    fitness = copied ?? fitness;
    isStale = true;
    state.generations.forEach((row) => curve.add(row));
    if (state.warning) message(`The GPU failed: ${state.warning}.`);
  },
  ended({ result }) {
    setRunning(false, true);
    at("status").textContent = "";
    at("result").textContent = JSON.stringify(result, null, 2);
    at("verdict").textContent = result.solved
      ? `Solved in generation ${number.format(result.generations)}, and checked`
      : `Not solved: ${result.stop_reason === "device-lost" ? "the GPU failed" : `the limit of ${result.stop_reason} ended the run`}, with ${result.fitness} duplicates left`;
    at("ended").hidden = false;
  },
  error({ text }) {
    setRunning(false, true);
    at("status").textContent = "";
    message(text);
  },
  ...measuring,
};

worker.onmessage = ({ data }) => { if (data.id === undefined || data.id === serial) replies[data.kind](data); };
worker.onerror = (event) => message(`The page could not start: ${event.message || "its files are incomplete"}`);

// --- What is seen ---

function frame() {
  requestAnimationFrame(frame);
  if (!isStale || !told || !shown || !about) return;
  isStale = false;
  if (at("board").dataset.side !== String(shown.side) || at("board").dataset.line !== shown.line) drawBoard(at("board"), shown);
  const board = told.ending ? told.best_board : told.board ?? told.best_board;
  showBoard(at("board"), shown, board, seen);
  seen = board;
  const { last } = curve;
  const [whose, best] = told.ending ? ["the run", told.best_fitness] : [`generation ${number.format(last?.[0] ?? 0)}`, last?.[1]];
  at("board-caption").textContent = last ? `Best board of ${whose}: fitness ${best}; duplicates are underlined` : "Presolve solved the puzzle";
  if (fitness) {
    drawPopulation(at("population-picture"), fitness, curve.first?.[3] ?? 1);
    worker.postMessage({ kind: "drawn" });
  }
  at("population-caption").textContent = fitness?.length
    ? `All ${number.format(fitness.length)} individuals, row by row: the stronger the blue, the better`
    : about.free ? "The population is too large to draw" : "Presolve left no population";
  drawFitness(at("curve"), curve);
  drawDistinct(at("distinct"), curve, about.population);
  figures(told, last);
}

function figures(state, last) {
  const now = performance.now();
  if (!rate || now - rate.since > 2000) rate = { since: now, work: state.work, evaluations: state.evaluations, shown: rate?.shown };
  const seconds = (now - rate.since) / 1000;
  if (seconds > 0.5) rate.shown = (state.evaluations - rate.evaluations) / seconds;
  const { distinct } = curve;
  const rows = {
    generation: last ? number.format(last[0]) : "0",
    "best so far": state.best_fitness,
    "best, mean, worst": last ? `${last[1]}, ${last[2].toFixed(1)}, ${last[3]}` : "-",
    "distinct boards": distinct === null ? "-" : `${short.format(distinct)}, ${percent.format(distinct / about.population)}`,
    restarts: number.format(state.restarts),
    "boards/s": rate.shown ? short.format(rate.shown) : "-",
    work: number.format(state.work),
    seconds: state.seconds.toFixed(2),
  };
  at("figures").replaceChildren(...Object.entries(rows).map(([name, value]) => {
    const [row, term, data] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
    term.textContent = name;
    data.textContent = value;
    row.append(term, data);
    return row;
  }));
}

// --- What is done ---

at("settings").addEventListener("submit", (event) => { event.preventDefault(); start(); });
at("pause").addEventListener("click", () => {
  worker.postMessage({ kind: running ? "pause" : "go" });
  setRunning(!running);
});
at("step").addEventListener("click", () => {
  worker.postMessage({ kind: "step" });
  setRunning(false);
});
at("preset").addEventListener("change", describe);
at("on").addEventListener("change", bound);
at("puzzle").addEventListener("change", () => { at("text").value = ""; worker.postMessage({ kind: "read", text: puzzleText() }); });
at("text").addEventListener("input", () => { at("puzzle").value = ""; worker.postMessage({ kind: "read", text: puzzleText() }); });
// For the tests: the device is given up as by a driver that is restarted.
addEventListener("evodoku-lose-device", () => worker.postMessage({ kind: "lose" }));
connect(worker, puzzleText, () => known?.adapter, () => { serial++; setRunning(false, true); });
// What changes the size or the colours of a picture.
addEventListener("resize", () => {
  isStale = true;
  drawLaw(at("law"));
});
drawLaw(at("law"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { isStale = true; });
document.addEventListener("visibilitychange", () => {
  isStale = true;
  if (document.hidden || !running) return;
  at("status").textContent = "The run continued while the page was hidden; the pictures did not.";
});
addEventListener("hashchange", () => {
  const begins = readLink();
  describe();
  bound();
  worker.postMessage({ kind: "read", text: puzzleText() });
  if (begins) start();
});
requestAnimationFrame(frame);
