// A process that puts Prism in front of servers: it receives the URL of a server, and sends the URL of Prism.
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";

const operations = await getHttpOperationsFromSpec(process.argv[2]);
const logger = createLogger("prism", { level: "silent" });
let server;

process.on("message", async (upstream) => {
  await server?.close();
  // requests are not validated, because most error statuses are responses to invalid requests
  const config = {
    isProxy: true,
    upstream: new URL(upstream),
    validateRequest: false,
    validateResponse: true,
    checkSecurity: true,
    errors: true,
    mock: { dynamic: false },
  };
  server = createServer(operations, { cors: true, config, components: { logger } });
  process.send(await server.listen(0, "127.0.0.1"));
});
process.on("disconnect", () => process.exit());
