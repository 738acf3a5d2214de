/** The seed of this run, printed at its start. */
export const seed = Number(process.env.SEED);

/** The factor by which a run is longer than usual. */
export const repetitions = Number(process.env.TURNS);
