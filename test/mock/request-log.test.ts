import { request } from "node:http";
import { expect, it } from "vitest";
import { type RequestSummary, serveControlled } from "../../src/mock/control/controlled-server.ts";
import { createReferenceServer } from "../../src/mock/index.ts";

it("the line of a request with an absolute URL shows neither its password nor its query", async () => {
  const lines: RequestSummary[] = [];
  const settings = { port: 0, cors: false, allowHosts: [], controlToken: undefined };
  const server = await serveControlled(createReferenceServer(), {
    ...settings,
    onRequest: (line) => void lines.push(line),
  });
  const path = "http://user:p4ssw0rd@127.0.0.1/v1/stores?cursor=p4ssw0rd";
  await new Promise((resolve) => {
    request({ port: server.port, path, agent: false }, (response) =>
      response.resume().on("end", resolve),
    ).end();
  });
  await server.close();
  expect(lines.map((line) => line.path)).toEqual(["/v1/stores"]);
});
