/** The input of the second measurement is this many times as large as that of the first. */
const factor = 8;
/** Microseconds below which a time says nothing. */
const floor = 50;

/** The number of runs of the small input in a round: a time that is too long would hide growth. The large one runs once. */
const smallRuns = 20;

/**
 * Returns the power by which processor time grows with the input: 0 is constant, 1 linear, 2 quadratic.
 * Other work on the machine only adds time, so the least times count, and a result of `most` or more is measured again,
 * up to 30 times: code that grows faster exceeds `most` each time.
 */
export async function growth(work: (factor: number) => unknown, most = 1.75): Promise<number> {
  await work(1);
  let [small, large, power] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < 30 && power >= most; round += 1) {
    small = Math.min(small, await timeOf(() => work(1), smallRuns));
    large = Math.min(large, await timeOf(() => work(factor), 1));
    power = Math.log(Math.max(large, floor) / Math.max(small, floor)) / Math.log(factor);
  }
  return power;
}

/** Returns the least processor time of some runs, in microseconds. */
async function timeOf(work: () => unknown, runs: number): Promise<number> {
  let minimum = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    minimum = Math.min(minimum, user + system);
  }
  return minimum;
}
