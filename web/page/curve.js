// The generations of a run: number, best, mean and worst fitness, different boards, restart. A run may take a day, so there is
// a bound: where it is reached, neighbours are joined in pairs, and a pair keeps the lowest and the highest of both.

const MOST = 8192;

export class Curve {
  first = null;
  last = null;
  distinct = null; // the last number of different boards
  // Each is {generation, low: row, high: row} of as many generations as `joined` says, the last one of fewer.
  points = [];
  joined = 1;
  #inLast = 0;

  add(row) {
    this.first ??= row;
    this.last = row;
    this.distinct = row[4] ?? this.distinct;
    const last = this.points[this.points.length - 1];
    if (last && this.#inLast < this.joined) {
      join(last, { generation: row[0], low: row, high: row });
      this.#inLast++;
    } else {
      this.points.push({ generation: row[0], low: [...row], high: [...row] });
      this.#inLast = 1;
    }
    if (this.points.length > MOST) this.#halve();
  }

  #halve() {
    for (let k = 0; 2 * k < this.points.length; k++) {
      this.points[k] = this.points[2 * k];
      if (2 * k + 1 < this.points.length) join(this.points[k], this.points[2 * k + 1]);
    }
    this.#inLast = this.points.length % 2 ? this.#inLast : this.joined + this.#inLast;
    this.points.length = Math.ceil(this.points.length / 2);
    this.joined *= 2;
  }
}

function join(point, next) {
  point.generation = next.generation;
  for (let k = 1; k <= 4; k++) {
    point.low[k] = either(Math.min, point.low[k], next.low[k]);
    point.high[k] = either(Math.max, point.high[k], next.high[k]);
  }
}

// Of two numbers, of which one may be unknown.
const either = (of, a, b) => (a === null ? b : b === null ? a : of(a, b));
