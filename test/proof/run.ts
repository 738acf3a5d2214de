/** The seed of this run, printed at its start. */
export const seed = Number(process.env.SEED);

/** How many times as long as usual a run may be. */
export const repetitions = Number(process.env.TURNS);
