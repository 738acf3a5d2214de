import type { Figure, Samples } from "./statistics.ts";

/** A contender that can be measured repeatedly. */
export interface Participant {
  name: string;
  /** Returns the figures of a round. Rejects if a result is wrong. */
  sample: () => Promise<Figure>;
}

/**
 * Measures each participant once per round, in a new random order, so that other work on the machine affects all of them.
 * The first rounds warm up and are not counted. A participant that fails once is removed with its figures, because they
 * would not be of the same work.
 */
export async function interleave(
  participants: readonly Participant[],
  { counted, warmUp }: { counted: number; warmUp: number },
  refuse: (name: string, error: unknown) => void,
): Promise<Samples> {
  const samples = new Map<string, Figure[]>(participants.map(({ name }) => [name, []]));
  for (let round = 1; round <= warmUp + counted; round += 1)
    for (const { name, sample } of shuffle(participants))
      try {
        if (!samples.has(name)) continue;
        const figure = await sample();
        if (!Number.isFinite(figure.value)) throw new Error(`${figure.value} is not a figure`);
        if (round > warmUp) samples.get(name)?.push(figure);
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
