/** Runs histories: `npm run test:world`, with `SEED`, `RUNS` and `REPLAY` of the environment. */
import { checkHistories } from "./run.ts";

const start = performance.now();
const failure = await checkHistories(process.env);
const seconds = ((performance.now() - start) / 1000).toFixed(1);
console.log(failure ?? `all rules held, ${seconds} s`);
process.exitCode = failure === undefined ? 0 : 1;
