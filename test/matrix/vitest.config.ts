import { proofConfig } from "../proof/config.ts";
import { GapReport } from "./gap-report.ts";

const { test } = proofConfig("matrix", [new GapReport()]);

// loading the modules again for each file took half of the time of most files
export default { test: { ...test, pool: "threads", isolate: false } };
