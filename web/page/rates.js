// Rates by population as a figure: both axes logarithmic, a line for each way, with its quartiles as bars.

const NS = "http://www.w3.org/2000/svg";
// Okabe-Ito, and a form of line, so that no two lines differ by colour alone. A place has one of them in all figures.
const STYLES = { thread: ["#0072b2", ""], gpu: ["#d55e00", "6 3"], kernel: ["#009e73", "2 3"], scalar: ["#cc79a7", "9 3 2 3"] };
const short = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3, notation: "compact" });

function element(parent, name, attributes, text) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

// Draws `series`, a list of {name, style, points: [{x, y, low, high}]}, into an svg as wide as its place.
export function drawRates(svg, title, series) {
  const width = Math.max(280, svg.clientWidth || svg.parentElement.clientWidth);
  const legend = 20 * series.length;
  const [left, right, top, bottom] = [52, 12, 12, 40];
  const height = 240 + legend;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("height", height);
  svg.replaceChildren();
  element(svg, "title", {}, title);
  const points = series.flatMap((one) => one.points);
  if (!points.length) return;
  const [floor, ceil] = [(x) => 10 ** Math.floor(Math.log10(x)), (x) => 10 ** Math.ceil(Math.log10(x))];
  const lowest = floor(Math.min(...points.map((point) => point.low)));
  const highest = Math.max(ceil(Math.max(...points.map((point) => point.high))), lowest * 10);
  const [least, most] = [Math.min(...points.map((point) => point.x)), Math.max(...points.map((point) => point.x))];
  const plotted = height - legend - bottom;
  const share = (value, from, to) => (from === to ? 0.5 : Math.log(value / from) / Math.log(to / from));
  const x = (value) => left + share(value, least, most) * (width - left - right);
  const y = (value) => plotted - share(value, lowest, highest) * (plotted - top);
  for (let value = lowest; value <= highest * 1.01; value *= 10) {
    element(svg, "line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) });
    element(svg, "text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, short.format(value));
  }
  const populations = [...new Set(points.map((point) => point.x))];
  for (const value of populations) element(svg, "text", { x: x(value), y: plotted + 16, "text-anchor": value === most ? "end" : "middle" }, short.format(value));
  element(svg, "text", { x: (left + width - right) / 2, y: plotted + 34, "text-anchor": "middle" }, "population (boards)");
  series.forEach(({ name, style, points: line }, number) => {
    const [stroke, dashes] = STYLES[style];
    const path = line.map((point, k) => `${k ? "L" : "M"}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`).join("");
    element(svg, "path", { d: path, fill: "none", stroke, "stroke-width": 2, "stroke-dasharray": dashes });
    for (const point of line) {
      element(svg, "line", { stroke, "stroke-width": 5, "stroke-opacity": 0.45, x1: x(point.x), x2: x(point.x), y1: y(point.low), y2: y(point.high) });
      element(svg, "circle", { fill: stroke, r: 3, cx: x(point.x), cy: y(point.y) });
    }
    const at = height - legend + 20 * number + 6;
    element(svg, "line", { stroke, "stroke-width": 2, "stroke-dasharray": dashes, x1: left, x2: left + 30, y1: at, y2: at });
    element(svg, "text", { x: left + 38, y: at + 4 }, name);
  });
}

// Expected work in millions by population: docs/explanation/results.md, "When does population size help?", rows easy, medium and hard.
const LAW = { hard: [0.5, 1.27, 0.95, 1.21, 5.25], medium: [1.24, 0.61, 0.7, 0.79, 4.52], easy: [0.12, 0.14, 0.15, 0.39, 2.68] };
const POPULATIONS = [1, 100, 1_000, 10_000, 100_000];

// Draws the finding on population size.
export function drawLaw(svg) {
  const styles = { hard: "gpu", medium: "thread", easy: "kernel" };
  drawRates(svg, "Work to a solution by population", Object.entries(LAW).map(([name, work]) => ({
    name: `${name} puzzles`,
    style: styles[name],
    points: work.map((y, k) => ({ x: POPULATIONS[k], y, low: y, high: y })),
  })));
}
