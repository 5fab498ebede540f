// A board as a table: givens bold, duplicates marked, what changed shaded.

const SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export function drawBoard(table, puzzle) {
  const { side, box: [rows, columns], givens, line } = puzzle;
  const body = document.createElement("tbody");
  for (let row = 0; row < side; row++) {
    const line = body.insertRow();
    for (let column = 0; column < side; column++) {
      const cell = line.insertCell();
      if (givens[row * side + column]) cell.classList.add("given");
      if ((column + 1) % columns === 0 && column + 1 < side) cell.classList.add("right");
      if ((row + 1) % rows === 0 && row + 1 < side) cell.classList.add("below");
    }
  }
  table.replaceChildren(body);
  table.dataset.side = side;
  table.dataset.line = line;
  // In hundredths of the width of the figure: values above 9 have two digits.
  table.style.fontSize = `${((side <= 9 ? 52 : 62) / side).toFixed(2)}cqi`;
}

export function showBoard(table, puzzle, board, before) {
  const { side, box } = puzzle;
  const repeated = duplicates(board, side, box);
  const cells = table.querySelectorAll("td");
  board.forEach((value, cell) => {
    const shown = value ? (side <= 9 ? SYMBOLS[value - 1] : String(value)) : "";
    if (cells[cell].textContent !== shown) cells[cell].textContent = shown;
    cells[cell].classList.toggle("conflict", repeated[cell]);
    cells[cell].classList.toggle("changed", Boolean(before) && before[cell] !== value);
  });
}

function duplicates(board, side, [rows, columns]) {
  const seen = new Map();
  board.forEach((value, cell) => {
    if (!value) return;
    const [row, column] = [Math.floor(cell / side), cell % side];
    const box = Math.floor(row / rows) * (side / columns) + Math.floor(column / columns);
    for (const unit of [`r${row}`, `c${column}`, `b${box}`]) {
      const key = `${unit}:${value}`;
      if (!seen.has(key)) seen.set(key, []);
      seen.get(key).push(cell);
    }
  });
  const repeated = new Array(board.length).fill(false);
  for (const cells of seen.values()) if (cells.length > 1) for (const cell of cells) repeated[cell] = true;
  return repeated;
}
