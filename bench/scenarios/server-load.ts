import { Pool } from "undici";
import { Child } from "../child.ts";
import { commandOf, isStore, startProgram } from "../mock-programs.ts";
import { token } from "../responses.ts";
import type { Scenario, Setting } from "../scenario.ts";

interface LoadRequest {
  method: "GET" | "PUT";
  path: string;
  body?: string;
}

const store = { name: "Store 1", storeType: "Kiosk", onboardingComplete: true };
const requests: Readonly<Record<"get" | "list" | "put", LoadRequest>> = {
  get: { method: "GET", path: "/v1/stores/S-1" },
  list: { method: "GET", path: "/v1/stores?limit=100" },
  put: { method: "PUT", path: "/v1/stores/S-1", body: JSON.stringify(store) },
};
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const connections = 32;

/**
 * Requests per second to a server in a process of its own, for the given number of ms. Each connection sends the next
 * request after each response. The bodies are not read, so that the server and not this process is the bottleneck.
 */
export async function prepare(contender: string, { request: name = "get" }: Setting): Promise<Scenario> {
  const request = { ...requests[name], headers };
  const bare =
    contender === "bare node:http" ? await Child.start({ scenario: "server", setting: {} }) : undefined;
  const pool = new Pool(bare?.url ?? (await startProgram(commandOf(contender))), { connections });
  const send = (): Promise<void> =>
    new Promise((resolve, reject) => {
      pool.dispatch(request, {
        onRequestStart() {},
        onResponseData() {},
        onResponseStart: (_, status) => status === 200 || reject(new Error(`status ${status}`)),
        onResponseEnd: () => resolve(),
        onResponseError: (_, error) => reject(error),
      });
    });
  return {
    async run(ms) {
      const body = (await (await pool.request(request)).body.json()) as { items?: unknown[] };
      if (!(body.items?.length === 100 ? body.items.every(isStore) : isStore(body)))
        throw new Error(`the response is wrong: ${JSON.stringify(body).slice(0, 200)}`);
      let count = 0;
      const start = performance.now();
      const sendUntil = async (end: number): Promise<void> => {
        for (; performance.now() < end; count += 1) await send();
      };
      await Promise.all(Array.from({ length: connections }, () => sendUntil(start + ms)));
      return (count / (performance.now() - start)) * 1000;
    },
  };
}
