import { proofConfig } from "../proof/config.ts";
import { FaultTable } from "./fault-table.ts";

export default proofConfig("faults", [new FaultTable()]);
