import { request } from "node:http";
import { http } from "msw";
import { setupServer } from "msw/node";
import { expect, onTestFinished, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { mswHandlers } from "../../src/mock/msw.ts";
import { serve } from "../../src/mock/node.ts";

const path = "/v1/stores/S-1";
const bytes = (text: string) => new TextEncoder().encode(text);

interface Outcome {
  status: number;
  name: unknown;
  recorded: unknown;
}

/** Sends a body over fetch, msw and HTTP, and returns the outcomes. */
async function everyWay(body: Uint8Array<ArrayBuffer>): Promise<Outcome[]> {
  return [await overFetch(body), await overMsw(body), await overHttp(body)];
}

function server() {
  const ref = createReferenceServer({ store: { stores: 1 } });
  const headers = { authorization: `Bearer ${ref.token}`, "content-type": "application/json" };
  const outcome = (status: number): Outcome => ({
    status,
    name: ref.state.store.stores.get("S-1")?.name,
    recorded: ref.journal.all()[0]?.body,
  });
  return { ref, headers, outcome };
}

async function overFetch(body: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  const { ref, headers, outcome } = server();
  return outcome((await ref.fetch(ref.storeUrl + path, { method: "PUT", headers, body })).status);
}

async function overMsw(body: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  const { ref, headers, outcome } = server();
  const worker = setupServer(
    ...mswHandlers(ref),
    http.all("*", () => Response.error()),
  );
  worker.listen();
  try {
    return outcome((await fetch(ref.storeUrl + path, { method: "PUT", headers, body })).status);
  } finally {
    worker.close();
  }
}

async function overHttp(body: Uint8Array<ArrayBuffer>): Promise<Outcome> {
  const { ref, headers, outcome } = server();
  const { storeUrl, close } = await serve(ref);
  onTestFinished(() => close());
  const status = await new Promise<number>((resolve, reject) => {
    const sent = request(storeUrl + path, { method: "PUT", headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once("error", reject).end(body);
  });
  return outcome(status);
}

test.each([
  ["a byte order mark", bytes('\ufeff{"name":"Łódź"}'), 200, "Łódź"],
  ["an escaped lone surrogate", bytes('{"name":"\\ud83d"}'), 200, "\ud83d"],
])("a body with %s is read alike over fetch, msw and HTTP", async (_name, body, status, name) => {
  for (const outcome of await everyWay(body)) {
    expect(outcome).toEqual({ status, name, recorded: { name } });
  }
});

test.each([
  ["Latin-1", [0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xe9, 0x22, 0x7d]],
  ["a cut character", [0x7b, 0x22, 0x6e, 0x61, 0x6d, 0x65, 0x22, 0x3a, 0x22, 0xc5, 0x22, 0x7d]],
])("a body with %s is rejected over fetch, msw and HTTP, and nothing is stored", async (_name, codes) => {
  const before = server().ref.state.store.stores.get("S-1")?.name;
  for (const outcome of await everyWay(new Uint8Array(codes))) {
    expect(outcome).toEqual({ status: 400, name: before, recorded: undefined });
  }
});

test.each([
  ["a byte order mark", '\ufeff{"name":"x"}', "x"],
  ["a lone surrogate", '{"name":"\ud83d"}', "\ufffd"],
])("a string body with %s is encoded as over HTTP", async (_name, body, name) => {
  const { ref, headers } = server();
  const { status } = await ref.fetch(ref.storeUrl + path, { method: "PUT", headers, body });
  expect([status, ref.state.store.stores.get("S-1")?.name]).toEqual([200, name]);
});
