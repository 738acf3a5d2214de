/** The input of the second measurement is this many times as large as that of the first. */
const factor = 8;
/** Microseconds below which a time says nothing. */
const floor = 50;

/**
 * Returns the power by which processor time grows with the input: 0 is constant, 1 linear, 2 quadratic.
 * Other work on the machine only adds time, so a result of `most` or more is measured again, up to ten times: code that
 * grows faster exceeds `most` each time.
 */
export async function growth(work: (factor: number) => unknown, most = 1.75): Promise<number> {
  await work(1);
  let minimum = Infinity;
  for (let round = 0; round < 10 && minimum >= most; round += 1) {
    const small = await timeOf(() => work(1));
    const large = await timeOf(() => work(factor));
    minimum = Math.min(minimum, Math.log(Math.max(large, floor) / Math.max(small, floor)) / Math.log(factor));
  }
  return minimum;
}

/** Returns the least processor time of five runs, in microseconds. */
async function timeOf(work: () => unknown): Promise<number> {
  let minimum = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    minimum = Math.min(minimum, user + system);
  }
  return minimum;
}
