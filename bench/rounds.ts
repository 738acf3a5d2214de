import type { Samples } from "./statistics.ts";

/** A contender that can be measured repeatedly. */
export interface Participant {
  name: string;
  /** Returns one figure. Rejects if a result is wrong. */
  sample: () => Promise<number>;
}

/**
 * Measures each participant once per round, in a new random order, so that other work on the machine affects all of them.
 * The first round warms up and is not counted. A participant that fails once is removed with its figures, because they
 * would not be of the same work.
 */
export async function interleave(
  participants: readonly Participant[],
  rounds: number,
  refuse: (name: string, error: unknown) => void,
): Promise<Samples> {
  const samples = new Map<string, number[]>(participants.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1)
    for (const { name, sample } of shuffle(participants))
      try {
        const figure = samples.has(name) ? await sample() : 0;
        if (!Number.isFinite(figure)) throw new Error(`${figure} is not a figure`);
        if (round > 0) samples.get(name)?.push(figure);
      } catch (error) {
        samples.delete(name);
        refuse(name, error);
      }
  return samples;
}

function shuffle<T>(all: readonly T[]): T[] {
  const keyed = all.map((value) => ({ value, order: Math.random() }));
  return keyed.toSorted((a, b) => a.order - b.order).map(({ value }) => value);
}
