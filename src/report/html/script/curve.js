// Draws the curve of a run: best and worst fitness by generation.
const drawCurve = (() => {
  const LEFT = 44, RIGHT = 48, TOP = 10, BOTTOM = 40;
  const element = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const count = (number) => number.toLocaleString("en");

  // Round steps, about as many as wanted.
  const ticks = (most, wanted) => {
    const rough = Math.max(1, most / wanted);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough);
    return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
  };
  const decades = (most) => {
    const found = [0];
    for (let decade = 1; decade <= most; decade *= 10) found.push(decade);
    return found;
  };

  // `host` gets the plot, `told` the figures of the generation that is pointed at.
  return (host, told, [generations, best, worst], logarithmic) => {
    const width = Math.max(240, host.clientWidth);
    const height = Math.min(300, Math.max(200, width / 2));
    const last = generations.length - 1;
    const mostX = Math.max(1, generations[last]), mostY = Math.max(1, ...best, ...worst);
    const scale = logarithmic ? (value) => Math.log1p(value) : (value) => value;
    const x = (value) => LEFT + (width - LEFT - RIGHT) * scale(value) / scale(mostX);
    const y = (value) => height - BOTTOM - (height - TOP - BOTTOM) * value / mostY;
    const label = `Fitness by generation: best from ${count(best[0])} to ${count(best[last])}, ` +
      `worst from ${count(worst[0])} to ${count(worst[last])} at generation ${count(generations[last])}`;
    const svg = element("svg", {
      viewBox: `0 0 ${width} ${height}`, height, role: "img", tabindex: 0, "aria-label": label,
    });
    const line = (x1, y1, x2, y2, kind) => element("line", { x1, y1, x2, y2, class: kind });

    for (const tick of ticks(mostY, 6)) {
      svg.append(line(LEFT, y(tick), width - RIGHT, y(tick), "grid"));
      svg.append(element("text", { x: LEFT - 8, y: y(tick) + 4, "text-anchor": "end" }, count(tick)));
    }
    for (const tick of logarithmic ? decades(mostX) : ticks(mostX, width / 110)) {
      svg.append(element("text", { x: x(tick), y: height - BOTTOM + 18, "text-anchor": "middle" }, count(tick)));
    }
    const name = logarithmic ? "generation (logarithmic)" : "generation";
    const middle = (LEFT + width - RIGHT) / 2;
    svg.append(element("text", { x: middle, y: height - 4, "text-anchor": "middle" }, name));

    for (const [kind, values] of [["worst", worst], ["best", best]]) {
      const points = values.map((value, at) => [x(generations[at]).toFixed(1), y(value).toFixed(1)]);
      svg.append(element("path", { d: "M" + points.join("L"), class: kind }));
      if (last < 12) {
        for (const [cx, cy] of points) svg.append(element("circle", { cx, cy, r: 2.5, class: kind }));
      }
    }
    const apart = Math.max(y(best[last]), y(worst[last]) + 14);
    svg.append(element("text", { x: width - RIGHT + 6, y: apart + 4, class: "best" }, "best"));
    svg.append(element("text", { x: width - RIGHT + 6, y: y(worst[last]) + 4, class: "worst" }, "worst"));

    const rule = line(0, TOP, 0, height - BOTTOM, "rule");
    let at = last;
    const tell = (next) => {
      at = Math.min(last, Math.max(0, next));
      rule.setAttribute("x1", x(generations[at]));
      rule.setAttribute("x2", x(generations[at]));
      told.textContent =
        `generation ${count(generations[at])}: best ${count(best[at])}, worst ${count(worst[at])}`;
    };
    const point = (event) => {
      const box = svg.getBoundingClientRect();
      const place = (event.clientX - box.left) * width / box.width;
      let near = 0;
      generations.forEach((generation, other) => {
        if (Math.abs(x(generation) - place) < Math.abs(x(generations[near]) - place)) near = other;
      });
      tell(near);
    };
    svg.append(rule);
    svg.addEventListener("pointermove", point);
    svg.addEventListener("pointerdown", point);
    svg.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      tell(to);
    });
    tell(last);
    host.replaceChildren(svg);
  };
})();
