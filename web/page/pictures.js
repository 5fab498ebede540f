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

// Best, mean and worst by generation. Where there are more generations than pixels, a pixel shows the range of those it stands
// for, so that no peak is lost.
export function drawCurve(canvas, rows) {
  const scale = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, 220];
  if (canvas.width !== Math.round(width * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  if (!rows.length) return;
  const [left, right, top, bottom] = [38, 8, 8, 22];
  const most = Math.max(...[rows[0], ...rows.filter((_, k) => k % Math.ceil(rows.length / 2000) === 0)].map((row) => row[3]), 1);
  const last = Math.max(1, rows[rows.length - 1][0]);
  const x = (generation) => left + (generation / last) * (width - left - right);
  const y = (fitness) => top + (1 - fitness / most) * (height - top - bottom);
  context.font = "12px system-ui, sans-serif";
  context.fillStyle = colour("--soft");
  context.strokeStyle = colour("--line");
  context.lineWidth = 1;
  for (const part of [0, 0.5, 1]) {
    const value = Math.round(part * most);
    context.beginPath();
    context.moveTo(left, y(value));
    context.lineTo(width - right, y(value));
    context.stroke();
    context.textAlign = "right";
    context.fillText(String(value), left - 6, y(value) + 4);
  }
  context.textAlign = "center";
  context.fillText("0", x(0), height - 6);
  context.textAlign = "right";
  context.fillText(String(last), width - right, height - 6);
  const step = Math.max(1, Math.ceil(rows.length / Math.max(1, width - left - right)));
  for (const [column, name] of [[3, "--worst"], [2, "--mean"], [1, "--accent"]]) {
    context.strokeStyle = colour(name);
    context.lineWidth = column === 1 ? 2 : 1.25;
    context.beginPath();
    for (let k = 0; k < rows.length; k += step) {
      const part = rows.slice(k, k + step).map((row) => row[column]);
      const [low, high] = [Math.min(...part), Math.max(...part)];
      const place = x(rows[Math.min(k + step, rows.length) - 1][0]);
      k ? context.lineTo(place, y(high)) : context.moveTo(place, y(high));
      if (low !== high) context.lineTo(place, y(low));
    }
    context.stroke();
  }
}
