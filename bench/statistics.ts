export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)] ?? Number.NaN;
  const high = sorted[Math.ceil(middle)] ?? Number.NaN;
  return { median: (low + high) / 2, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

/** How many times `ours` each round's value is: neighbours in time are compared, so that a busy minute hits both. */
export function ratios(values: readonly number[], ours: readonly number[]): Spread {
  return spread(values.map((value, round) => value / (ours[round] ?? Number.NaN)));
}

/** The exponent `e` of `value ~ work ** e`, by least squares over the logarithms: 0 is flat, 1 is linear. */
export function slope(points: readonly { work: number; value: number }[]): number {
  const logs = points.map(({ work, value }) => ({ x: Math.log(work), y: Math.log(value) }));
  const mean = (of: (log: { x: number; y: number }) => number): number =>
    logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
  const [x, y] = [mean((log) => log.x), mean((log) => log.y)];
  return mean((log) => (log.x - x) * (log.y - y)) / mean((log) => (log.x - x) ** 2);
}

/** A random order, by Fisher and Yates. */
export function shuffled<T>(all: readonly T[]): T[] {
  const order = [...all];
  for (let end = order.length - 1; end > 0; end -= 1) {
    const at = Math.floor(Math.random() * (end + 1));
    [order[end], order[at]] = [order[at] as T, order[end] as T];
  }
  return order;
}
