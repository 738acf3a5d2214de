import { fileURLToPath } from "node:url";
import config from "../long/vitest.config.ts";

/** `npm run test:postgres`: the tests of `postgresSink`. They fail without a server. */
export default {
  ...config,
  test: {
    ...config.test,
    include: ["test/postgres/*.test.ts"],
    // for the blocks of the guides
    alias: { pg: fileURLToPath(new URL("node_modules/pg/esm/index.mjs", import.meta.url)) },
  },
};
