/** What this run is made of; printed when it begins. */
export const seed = Number(process.env.SEED);

/** How many times as long as usual a run may be. */
export const repetitions = Number(process.env.TURNS);
