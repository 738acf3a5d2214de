import http from "node:http";
import https from "node:https";
import { token } from "../responses.ts";
import type { Client, Named, Setting, StorePage } from "./client.ts";

/** Only `request` with an agent that keeps its connections open. */
export function open({ baseUrl }: Setting): Client {
  const platform = baseUrl.startsWith("https:") ? https : http;
  const agent = new platform.Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${token}` };
  const read = (path: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request = platform.get(`${baseUrl}${path}`, { agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
        response.on("error", reject);
      });
      request.on("error", reject);
    });
  return {
    getStore: async (externalId) => (await read(`/v1/stores/${externalId}`)) as Named,
    countPage: async () => ((await read("/v1/stores?limit=100")) as StorePage).items.length,
  };
}
