import { proofConfig } from "../proof/config.ts";

export default proofConfig("faults");
