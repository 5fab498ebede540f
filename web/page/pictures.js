// The population as dots, and the curve of fitness.

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function rgb(hex) {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

// A dot an individual, row by row in the order of slots. The scale is that of the whole run: 0 is the accent, the worst of the
// first generation the ground.
export function drawPopulation(canvas, fitness, worst) {
  const side = Math.max(1, Math.ceil(Math.sqrt(fitness.length)));
  if (canvas.width !== side) canvas.width = canvas.height = side;
  const context = canvas.getContext("2d");
  const image = context.createImageData(side, side);
  const [from, to] = [rgb(colour("--accent")), rgb(colour("--ground"))];
  const pixels = new Uint32Array(image.data.buffer);
  const shades = Array.from({ length: worst + 1 }, (_, value) => {
    const share = Math.sqrt(value / Math.max(1, worst));
    const [r, g, b] = from.map((one, k) => Math.round(one + (to[k] - one) * share));
    return (255 << 24) | (b << 16) | (g << 8) | r;
  });
  for (let k = 0; k < fitness.length; k++) pixels[k] = shades[Math.min(fitness[k], worst)];
  context.putImageData(image, 0, 0);
}

// The axes of a figure by generation; returns where a generation and a value are, and the context to draw with.
function axes(canvas, height, last, most, label) {
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const [left, right, top, bottom] = [46, 8, 8, 22];
  const x = (generation) => left + (generation / Math.max(1, last)) * (width - left - right);
  const y = (value) => top + (1 - value / most) * (height - top - bottom);
  context.font = "12px system-ui, sans-serif";
  context.fillStyle = colour("--soft");
  context.strokeStyle = colour("--line");
  for (const value of [0, most / 2, most]) {
    context.beginPath();
    context.moveTo(left, y(value));
    context.lineTo(width - right, y(value));
    context.stroke();
    context.textAlign = "right";
    context.fillText(label(value), left - 6, y(value) + 4);
  }
  context.textAlign = "center";
  context.fillText("0", x(0), height - 6);
  context.textAlign = "right";
  context.fillText(last.toLocaleString("en-US"), width - right, height - 6);
  return { context, x, y, columns: width - left - right };
}

// A line through a column of the points. Where there are more of them than columns of pixels, one shows the range of those that
// it stands for, so that no peak is lost.
function line({ context, x, y, columns }, points, column, stroke, width) {
  const step = Math.max(1, Math.ceil(points.length / Math.max(1, columns)));
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.beginPath();
  let isFirst = true;
  for (let k = 0; k < points.length; k += step) {
    const part = points.slice(k, k + step);
    const [low, high] = [Math.min(...part.map((point) => point.low[column])), Math.max(...part.map((point) => point.high[column]))];
    const place = x(part[part.length - 1].generation);
    isFirst ? context.moveTo(place, y(high)) : context.lineTo(place, y(high));
    if (low !== high) context.lineTo(place, y(low));
    isFirst = false;
  }
  context.stroke();
}

// Best, mean and worst fitness by generation.
export function drawFitness(canvas, { points, last }) {
  if (!last) return;
  const most = points.reduce((most, point) => Math.max(most, point.high[3]), 2);
  const figure = axes(canvas, 220, last[0], most + (most % 2), String);
  line(figure, points, 3, colour("--worst"), 1.25);
  line(figure, points, 2, colour("--mean"), 1.25);
  line(figure, points, 1, colour("--accent"), 2);
}

// Different boards by generation, as a share of the population.
export function drawDistinct(canvas, { points, last }, population) {
  if (!last) return;
  const figure = axes(canvas, 110, last[0], population, (value) => `${Math.round((100 * value) / population)} %`);
  const known = points.filter((point) => point.low[4] !== null);
  line(figure, known, 4, colour("--accent"), 1.5);
  // It is estimated every few generations only: where a line joins few of them, each is marked.
  if (known.length > figure.columns / 6) return;
  figure.context.fillStyle = colour("--accent");
  for (const { generation, low } of known) figure.context.fillRect(figure.x(generation) - 2, figure.y(low[4]) - 2, 4, 4);
}
