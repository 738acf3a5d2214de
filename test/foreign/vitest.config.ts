import { proofConfig } from "../proof/config.ts";

const config = proofConfig("foreign");
export default { ...config, test: { ...config.test, globalSetup: "./test/foreign/installation.ts" } };
