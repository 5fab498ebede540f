// The run that is chosen in the table: its curve, and its board.
(() => {
  const table = document.querySelector("table.runs");
  if (!table) return;
  const data = document.getElementById("curves");
  const curves = data ? JSON.parse(data.textContent) : {};
  const rows = () => [...table.tBodies[0].rows];
  const names = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
  const chosen = document.getElementById("chosen");
  const host = document.getElementById("curve");
  const boardHost = document.getElementById("chosen-board");
  const make = (name, properties) => Object.assign(document.createElement(name), properties);

  const title = make("h3", {});
  const plot = make("div", {});
  const told = make("output", {});
  const box = make("input", { type: "checkbox" });
  const label = make("label", {});
  label.append(box, "logarithmic generations");
  const below = make("div", { className: "line" });
  below.append(told, label);
  host.append(title, plot, below);

  let run = null;
  const draw = () => {
    const curve = curves[run];
    label.hidden = !curve || curve[0].length < 10;
    if (curve) {
      drawCurve(plot, told, curve, box.checked);
    } else {
      plot.replaceChildren();
      told.textContent = "There is no curve of this run here.";
    }
  };
  const of = (row, name) => row.cells[names.indexOf(name)].textContent.trim();

  const choose = (row) => {
    for (const other of rows()) {
      const is = other === row;
      other.classList.toggle("chosen", is);
      const button = other.cells[0].firstElementChild;
      button.setAttribute("aria-pressed", is);
      button.tabIndex = is ? 0 : -1;
    }
    run = row.dataset.run;
    title.textContent = `Run ${of(row, "run")}: ${of(row, "puzzle")}, ${of(row, "method")}, seed ${of(row, "seed")}`;
    const curve = curves[run];
    // Restarts, after which fitness is high again, would be hatching on a logarithmic axis.
    const restarts = (best) => best.some((fitness, at) => fitness > 2 * best[at - 1] + 2);
    box.checked = Boolean(curve) && curve[0][curve[0].length - 1] > 200 && !restarts(curve[1]);
    chosen.hidden = false;
    const board = document.getElementById(`board-${run}`);
    const copy = board && board.cloneNode(true);
    if (copy) {
      copy.removeAttribute("id");
      boardHost.style.setProperty("--side", copy.style.getPropertyValue("--side"));
    }
    boardHost.replaceChildren(...(copy ? [copy] : []));
    draw();
  };

  for (const row of rows()) {
    const cell = row.cells[0];
    const button = make("button", { type: "button", textContent: cell.textContent });
    button.setAttribute("aria-label", `Show run ${cell.textContent}`);
    cell.replaceChildren(button);
    row.addEventListener("click", () => {
      choose(row);
      host.scrollIntoView({ block: "nearest" });
    });
    // One stop for the tab key; arrows go from run to run.
    button.addEventListener("keydown", (event) => {
      const all = rows();
      const at = all.indexOf(row);
      const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined || !all[to]) return;
      event.preventDefault();
      choose(all[to]);
      all[to].cells[0].firstElementChild.focus();
    });
  }
  box.addEventListener("change", draw);
  let width = 0;
  new ResizeObserver(() => {
    if (plot.clientWidth !== width) {
      width = plot.clientWidth;
      draw();
    }
  }).observe(plot);
  choose(rows()[0]);
})();
