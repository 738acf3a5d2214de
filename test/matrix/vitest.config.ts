import { proofConfig } from "../proof/config.ts";

const { test } = proofConfig("matrix");

// loading the modules again for each file took half of the time of most files
export default { test: { ...test, pool: "threads", isolate: false } };
