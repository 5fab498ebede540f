// The part of the page that measures this machine: one thread of the CPU against the GPU.
import { drawRates } from "./rates.js";

const at = (id) => document.getElementById(id);
const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

let report = null; // what has been measured
let wasHidden = false; // whether the page was hidden meanwhile

// What was measured, in words.
const subject = ({ preset }) => (preset ? `a generation of ${preset}` : "scoring");

// Who did it, in words.
function name({ what, evaluator, simd }) {
  if (evaluator === "gpu") return what === "score" ? "GPU, with transfers of boards and scores" : "GPU";
  return simd ? `one thread, ${simd}` : "one thread";
}

const KERNEL = "GPU, boards in its memory";

// Half the interquartile range; of few samples it would say nothing.
function spread({ samples, seconds, seconds_lower_quartile: low, seconds_upper_quartile: high }) {
  return samples < 3 ? "-" : `±${(50 * (high - low) / seconds).toFixed(1)} %`;
}

// The rows of the table: each measurement, and the kernel alone where there is one.
function rows({ results }) {
  return results.flatMap((one) => {
    const row = { what: subject(one), name: name(one), population: one.population, rate: one.boards_per_second, spread: spread(one), samples: one.samples };
    const alone = one.kernel_alone_seconds && { ...row, name: KERNEL, rate: one.population / one.kernel_alone_seconds, spread: "-", samples: "-" };
    return alone ? [row, alone] : [row];
  });
}

// The lines of a figure.
function series(results) {
  const found = new Map();
  const add = (name, style, point) => found.set(name, { name, style, points: [...(found.get(name)?.points ?? []), point] });
  for (const one of results) {
    const [x, y] = [one.population, one.boards_per_second];
    const style = one.evaluator === "gpu" ? "gpu" : one.simd === "scalar" ? "scalar" : "thread";
    add(name(one), style, { x, y, low: y * one.seconds / one.seconds_upper_quartile, high: y * one.seconds / one.seconds_lower_quartile });
    const alone = one.kernel_alone_seconds && x / one.kernel_alone_seconds;
    if (alone) add(KERNEL, "kernel", { x, y: alone, low: alone, high: alone });
  }
  return [...found.values()];
}

function figures({ results }) {
  const titles = [...new Set(results.map(subject))];
  return titles.map((title) => [title, results.filter((one) => subject(one) === title)]);
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function breakEven({ break_even }) {
  return break_even.map(({ of, population, not_up_to }) => population
    ? `${capital(of)}: the GPU is faster than one thread at ${number.format(population)} boards and more.`
    : `${capital(of)}: the GPU is not faster than one thread at ${number.format(not_up_to)} boards.`);
}

function list(parent, tag, texts) {
  parent.replaceChildren(...texts.map((text) => Object.assign(document.createElement(tag), { textContent: text })));
}

function showReport(told) {
  report = told;
  at("measured").hidden = !report.results.length;
  if (at("measured").hidden) return;
  at("rates").replaceChildren(...figures(report).map(([title, results]) => {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    caption.textContent = `Boards per second, ${title}`;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("class", "rates");
    figure.append(caption, svg);
    // Its width is known once it is on the page.
    requestAnimationFrame(() => drawRates(svg, caption.textContent, series(results)));
    return figure;
  }));
  const table = at("rates-table").tBodies[0];
  table.replaceChildren(...rows(report).map((row) => {
    const line = document.createElement("tr");
    list(line, "td", [row.what, row.name, number.format(row.population), number.format(row.rate), row.spread, String(row.samples)]);
    return line;
  }));
  const hidden = wasHidden ? ["The page was hidden during the test. Browsers slow down hidden pages, so these rates may be too low."] : [];
  const machine = `${report.system}; ${report.cores} threads; ${report.adapter ?? "no GPU"}${report.adapter_type === "software" ? ", a software driver that computes on the CPU: its rates are not those of a GPU" : ""}.`;
  list(at("break-even"), "p", [...breakEven(report), machine, ...hidden]);
  at("bench").textContent = JSON.stringify(report, null, 1);
}

function markdown() {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const body = rows(report).map((row) => line([row.what, row.name, number.format(row.population), number.format(row.rate), row.spread, row.samples]));
  return [line(["what", "where", "population", "boards/s", "spread", "samples"]), line(["---", "---", "---:", "---:", "---:", "---:"]), ...body, "", ...[...at("break-even").children].map((one) => one.textContent)].join("\n");
}

// A page over http cannot write to the clipboard: then the text is selected.
async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    at("bench").parentElement.open = true;
    at("bench").textContent = text;
    getSelection().selectAllChildren(at("bench"));
    button.textContent = "Selected below";
  }
  setTimeout(() => { button.textContent = before; }, 2000);
}

function busy(is) {
  at("measure").disabled = is;
  at("compare").disabled = is;
  at("stop").disabled = !is;
}

// What the page shows of the messages of the worker.
export const measuring = {
  measuring({ number: at_, count, task, report: told }) {
    at("measure-status").textContent = `${at_ + 1} of ${count}: ${task}.`;
    showReport(told);
  },
  measured({ report: told }) {
    showReport(told);
    at("measure-status").textContent = told.complete ? "Done." : "Stopped: the table shows the measurements so far.";
  },
  unmeasured() {
    busy(false);
    // What was ended before it began, or failed.
    if (!/^(Done|Stopped|[\d,]+ of [\d,]+ boards)/.test(at("measure-status").textContent)) at("measure-status").textContent = "Stopped.";
  },
  compared({ found, isOver }) {
    const texts = found.filter((one) => one.boards || !one.legal).map(({ legal, boards, mismatches }) =>
      `${number.format(mismatches)} of ${number.format(boards)} ${legal ? "boards of random permutations" : "boards of random bytes"} scored differently by CPU and GPU`);
    at("measure-status").textContent = `${isOver ? "" : "So far: "}${texts.join("; ")}.`;
  },
};

// Connects the buttons; `puzzle` returns the puzzle's text, `adapter` what the GPU is, `stopped` is called before anything begins.
export function connect(worker, puzzle, adapter, stopped) {
  at("measure").addEventListener("click", () => {
    stopped();
    busy(true);
    wasHidden = document.hidden;
    const gpu = adapter();
    const machine = {
      cpu: null, cores: navigator.hardwareConcurrency, system: navigator.userAgent, memory_bytes: null, cache_bytes: { l1: null, l2: null, l3: null },
      adapter: gpu && (gpu.name || "a GPU without a name"), adapter_type: gpu && (gpu.software ? "software" : "unknown type"), adapter_backend: gpu && "WebGPU", driver: gpu && gpu.driver, pci_bus_id: null,
    };
    at("measure-status").textContent = "Starting.";
    worker.postMessage({ kind: "measure", puzzle: puzzle(), largest: Number(at("largest").value), machine });
  });
  at("compare").addEventListener("click", () => {
    stopped();
    busy(true);
    at("measure-status").textContent = "Starting.";
    worker.postMessage({ kind: "compare", puzzle: puzzle(), boards: 1_000_000 });
  });
  at("stop").addEventListener("click", () => {
    at("stop").disabled = true;
    worker.postMessage({ kind: "stop" });
  });
  at("copy-table").addEventListener("click", ({ currentTarget }) => copy(markdown(), currentTarget));
  at("copy-json").addEventListener("click", ({ currentTarget }) => copy(JSON.stringify(report, null, 1), currentTarget));
  document.addEventListener("visibilitychange", () => { wasHidden ||= document.hidden && at("measure").disabled; });
  addEventListener("resize", () => { if (report) showReport(report); });
}

// After what failed or was ended by a run.
