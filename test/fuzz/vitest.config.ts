import { proofConfig } from "../proof/config.ts";
import { FuzzReport } from "./fuzz-report.ts";

export default proofConfig("fuzz", [new FuzzReport()]);
