import { proofConfig } from "../proof/config.ts";

const config = proofConfig("referee");
export default { ...config, test: { ...config.test, globalSetup: "./test/referee/installation.ts" } };
