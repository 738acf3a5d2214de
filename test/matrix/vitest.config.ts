import { proofConfig } from "../proof/config.ts";
import { GapReport } from "./gap-report.ts";

export default proofConfig("matrix", [new GapReport()]);
