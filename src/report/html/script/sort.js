"use strict";

// Tables are sorted by a column when its name is pressed: upwards, downwards, and as they were.
(() => {
  const words = new Intl.Collator(undefined, { numeric: true });
  const figure = (text) => parseFloat(text.replace(/[,±<]/g, ""));

  // Cells without a figure come last, whichever way.
  const compare = (isFigures, sign) => (a, b) => {
    if (!isFigures) return sign * words.compare(a.text, b.text);
    const [x, y] = [figure(a.text), figure(b.text)];
    if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
    return sign * (x - y);
  };

  for (const table of document.querySelectorAll("table.sorts")) {
    const body = table.tBodies[0];
    const first = [...body.rows];
    if (first.length < 2) continue;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const next = { ascending: "descending", descending: null };
        const was = head.getAttribute("aria-sort");
        const order = was in next ? next[was] : "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        let rows = first;
        if (order) {
          head.setAttribute("aria-sort", order);
          const keyed = first.map((row) => ({ row, text: row.cells[at].textContent.trim() }));
          keyed.sort(compare(head.classList.contains("n"), order === "ascending" ? 1 : -1));
          rows = keyed.map((key) => key.row);
        }
        body.append(...rows);
      });
    });
  }
})();
