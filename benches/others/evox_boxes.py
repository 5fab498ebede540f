"""Document 001's genetic algorithm in EvoX, and scoring in torch: boxes are permuted, crossover takes whole boxes."""

import time

import torch
from evox.core import Algorithm, Mutable, Problem
from evox.workflows import StdWorkflow

EASY_03 = "802003510060091003701000894608004021000258060920310400000402780005089000200007100"
POPULATION, GENERATIONS, MUTATION_RATE = 1_000, 200, 0.25

GIVENS = torch.tensor([int(digit) for digit in EASY_03])
CELLS = torch.arange(81).reshape(9, 9)
BOX_OF = torch.arange(9).reshape(3, 3).repeat_interleave(3, 0).repeat_interleave(3, 1).ravel()
LINES = torch.cat([CELLS, CELLS.T]).ravel()
BLANKS = [((BOX_OF == box) & (GIVENS == 0)).nonzero().ravel() for box in range(9)]
SIZES = torch.tensor([len(blanks) for blanks in BLANKS])
TABLE = torch.stack([torch.nn.functional.pad(blanks, (0, int(SIZES.max()) - len(blanks))) for blanks in BLANKS])
DISTINCT = torch.tensor([(value >> 1).bit_count() for value in range(1 << 10)], dtype=torch.int16)


class Sudoku(Problem):
    def evaluate(self, pop):
        values = pop[:, LINES].reshape(len(pop), 18, 9).sort(-1).values
        return (values[..., 1:] == values[..., :-1]).sum((1, 2)).float()


class BoxGA(Algorithm):
    def __init__(self):
        super().__init__()
        pop = GIVENS.repeat(POPULATION, 1)
        for box, blanks in enumerate(BLANKS):
            given = GIVENS[BOX_OF == box].tolist()
            missing = torch.tensor([value for value in range(1, 10) if value not in given])
            pop[:, blanks] = missing[torch.rand(POPULATION, len(missing)).argsort(1)]
        self.pop = Mutable(pop)
        self.fit = Mutable(torch.full((POPULATION,), torch.inf))

    def init_step(self):
        self.fit = self.evaluate(self.pop)

    def step(self):
        count, rows = POPULATION, torch.arange(POPULATION)
        drawn = torch.randint(0, count, (2 * count, 3))
        parents = drawn.gather(1, self.fit[drawn].argmin(1, keepdim=True)).ravel()
        take = (torch.rand(count, 9) < 0.5)[:, BOX_OF]
        children = torch.where(take, self.pop[parents[:count]], self.pop[parents[count:]])
        box = torch.randint(0, 9, (count,))
        first = (torch.rand(count) * SIZES[box]).long()
        second = (first + 1 + (torch.rand(count) * (SIZES[box] - 1)).long()) % SIZES[box]
        first, second = TABLE[box, first], TABLE[box, second]
        swaps = torch.rand(count) < MUTATION_RATE
        one, other = children[rows, first], children[rows, second]
        children[rows, first] = torch.where(swaps, other, one)
        children[rows, second] = torch.where(swaps, one, other)
        self.pop = children
        self.fit = self.evaluate(children)


def run(seed):
    torch.manual_seed(seed)
    algorithm = BoxGA()
    workflow = StdWorkflow(algorithm, Sudoku())
    start, generation = time.perf_counter(), 0
    workflow.init_step()
    while algorithm.fit.min() > 0 and generation < GENERATIONS:
        workflow.step()
        generation += 1
    return generation, float(algorithm.fit.min()), time.perf_counter() - start


@torch.compile
def score(boards):
    """Fitness by sets of bits, of a tensor of uint8 of shape (n, 81)."""
    bits = (1 << boards.to(torch.int32)).reshape(-1, 9, 9)
    rows, columns = bits[:, :, 0].clone(), bits[:, 0].clone()
    for k in range(1, 9):
        rows |= bits[:, :, k]
        columns |= bits[:, k]
    nested = bits.reshape(-1, 3, 3, 3, 3)
    boxes = nested[:, :, 0, :, 0].clone()
    for k in range(1, 9):
        boxes |= nested[:, :, k // 3, :, k % 3]
    return 243 - DISTINCT[torch.cat([rows, columns, boxes.reshape(-1, 9)], 1).long()].sum(1)


def median(values):
    return sorted(values)[len(values) // 2]


run(9)
runs = [run(seed) for seed in range(5)]
for seed, (generation, fitness, seconds) in enumerate(runs):
    print(f"seed {seed}: fitness {fitness:.0f}, generation {generation}, {seconds:.4f} s")
solved = sum(fitness == 0 for _, fitness, _ in runs)
rate = median([POPULATION * generation / seconds for generation, _, seconds in runs])
print(f"solved {solved} of 5; medians {median([run[2] for run in runs]):.4f} s, {rate:.0f} children a second")

boards = torch.randint(1, 10, (1_000_000, 81), dtype=torch.uint8)
score(boards)
times = []
for _ in range(15):
    start = time.perf_counter()
    score(boards)
    times.append(time.perf_counter() - start)
print(f"scoring a million boards: {1_000 * median(times):.1f} ms")
