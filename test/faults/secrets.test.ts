import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { FleetClient, type Hooks, StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { serveReference } from "../mock/node/served.ts";
import { closedPort, faultServer, type SendFault, write } from "./fault-server.ts";
import { everything, formsOf, findSecret, keys, tokens } from "./planted.ts";
import { startProgram } from "./program.ts";
import { raw } from "../../src/client/raw/index.ts";

const range = { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:00:00Z" };

/** Responses that quote a secret in every form. */
function echoes(secret: string): Record<string, SendFault> {
  const forms = formsOf(secret);
  const issues = forms.map((form) => ({ path: form, message: form, code: form }));
  const details = { required: forms, available: forms };
  const json =
    (status: number, body: unknown): SendFault =>
    (socket) =>
      write(socket, { status, body: JSON.stringify(body) });
  const text =
    (status: number, body: string, headers = {}): SendFault =>
    (socket) =>
      write(socket, { status, body }, headers);
  return {
    "a store's error": json(400, { error: { code: secret, message: forms.join(" "), issues } }),
    "a fleet's error": json(404, { errors: forms.map((form) => ({ code: form, message: form })) }),
    "the scopes of a 403": json(403, { errors: [{ code: "FORBIDDEN", message: secret, details }] }),
    "names of properties": json(500, Object.fromEntries(forms.map((form) => [form, { [form]: 1 }]))),
    "plain text": text(500, forms.join("\n")),
    "a page": text(200, `<html>${forms.join("<br>")}`),
    "a page whose excerpt ends in the secret": text(200, `<html>${" ".repeat(1010)}${secret}`),
    "a long text whose limit is in the secret": text(500, " ".repeat(65_530) + secret),
    "broken JSON": text(200, `{"items":["${forms.join('","')}`),
    "a response without its properties": json(200, Object.fromEntries(forms.map((form) => [form, form]))),
    "a header": text(409, "{}", { "x-echo": forms.join(" "), "www-authenticate": `Bearer ${secret}` }),
    "a redirect": text(307, "", { location: `https://other.example/?${encodeURIComponent(secret)}` }),
    "bytes that are not HTTP": (socket) => void socket.end(`${forms.join(" ")}\r\n\r\n`),
  };
}

function watch(events: unknown[]): Hooks {
  const keep = (event: unknown): void => void events.push(event);
  return { onRequest: keep, onResponse: keep, onRetry: keep, onError: keep };
}

/** Calls of every kind with a secret, and their errors. */
async function rejections(origin: string, secret: string, hooks: Hooks): Promise<unknown[]> {
  const shared = { hooks, retry: { limit: 1, maxDelay: 1 }, timeout: 5000 };
  const isKey = keys.includes(secret);
  const store = new StoreClient({ ...shared, baseUrl: origin, token: secret, validate: "full" });
  const fleet = isKey
    ? new FleetClient({ ...shared, baseUrl: `${origin}/api/third-party/v1`, key: () => secret })
    : undefined;
  const calls: (PromiseLike<unknown> | undefined)[] = [
    store.stores.get("S"),
    store.stores.list().take(9),
    store.stores.upsert("S", {}),
    store.photos.list("S", range).take(9),
    raw(store)
      .GET("/v1/stores/{externalId}", { params: { path: { externalId: "S" } } })
      .then((response) => response.error),
    fleet?.vehicles.list().take(9),
    fleet?.damages.get("d"),
    fleet?.vehicles.create({}),
    fleet?.vehicles.delete("v"),
  ];
  const settled = await Promise.allSettled(calls.filter((call) => call !== undefined));
  return settled.map((one) => (one.status === "rejected" ? (one.reason as unknown) : one.value));
}

const secrets = [...tokens, ...keys];

describe.each(secrets)("the secret %s", (secret) => {
  test.each(Object.entries(echoes(secret)))(
    "is in no error and no hook event although the server quotes it in %s",
    async (_, sendFault) => {
      const server = await faultServer({
        respond: () => ({ status: 200, body: "" }),
        applies: () => true,
        sendFault,
      });
      const events: unknown[] = [];
      const errors = await rejections(server.origin, secret, watch(events));
      expect(findSecret(errors.map(everything).join("\n"), secret)).toEqual([]);
      expect(findSecret(everything(events), secret)).toEqual([]);
      expect(events.length).toBeGreaterThan(errors.length);
    },
  );

  test("is in no error if the server is unreachable or `fetch` throws an error that quotes it", async () => {
    const events: unknown[] = [];
    const errors = await rejections(`http://127.0.0.1:${await closedPort()}`, secret, watch(events));
    const text = formsOf(secret).join(" ");
    const thrown = Object.assign(new Error(text, { cause: { message: text, code: secret } }), {
      request: text,
    });
    const fetch = (): Promise<Response> => Promise.reject(thrown);
    const client = new StoreClient({ baseUrl: "https://x.example", token: secret, fetch, retry: 0 });
    errors.push(await client.stores.get("S").catch((error: unknown) => error));
    expect(findSecret(errors.map(everything).join("\n") + everything(events), secret)).toEqual([]);
  });

  test("is in no client, list or call", async () => {
    const options = { baseUrl: "https://x.example", fetch: async () => new Response('{"storeId":"1"}') };
    const store = new StoreClient({ ...options, token: secret });
    const call = store.stores.get("S");
    const pages = store.stores.list().pages();
    await call;
    const objects: unknown[] = [
      store,
      store.stores,
      raw(store),
      store.stores.list(),
      call,
      call.withResponse(),
      pages,
    ];
    if (keys.includes(secret)) {
      const fleet = new FleetClient({
        ...options,
        baseUrl: `${options.baseUrl}/api/third-party/v1`,
        key: secret,
      });
      objects.push(fleet, fleet.vehicles, fleet.scopes, fleet.vehicles.list());
    }
    expect(findSecret(objects.map(everything).join("\n"), secret)).toEqual([]);
  });
});

describe("the reference server", () => {
  test.each(tokens)("keeps %s out of its journal and its responses", async (token) => {
    const key = keys[0] ?? "";
    const ref = createReferenceServer({ store: { token }, fleet: { keys: [{ key, scopes: [] }] } });
    const store = new StoreClient({ baseUrl: ref.storeUrl, token, fetch: ref.fetch });
    const fleet = new FleetClient({ baseUrl: ref.fleetUrl, key, fetch: ref.fetch });
    for (const secret of [token, key]) {
      await store.stores.upsert(`x ${secret}`, { name: secret, externalId: secret }).catch(() => {});
      await store.stores.list({ cursor: secret, extra: { [secret]: secret } }).then(() => {});
      await fleet.vehicles.get(secret).catch(() => {});
    }
    const kept = [ref.journal.all(), ref.journal.violations(), ref.journal.coverage()]
      .map(everything)
      .join("\n");
    expect([...findSecret(kept, token), ...findSecret(kept, key)]).toEqual([]);
    expect(ref.journal.all()).toHaveLength(6);
  });

  test("quotes no valid and no invalid secret under any fault", async () => {
    const { ref, storeUrl } = await serveReference();
    const wrong = tokens[0] ?? "";
    const seen: string[] = [];
    for (const fault of [undefined, "malformed", "html", "truncate"] as const) {
      for (const secret of [wrong, ref.token ?? ""]) {
        if (fault !== undefined) ref.on("getStore").fault(fault).times(1);
        const request = fetch(`${storeUrl}/v1/stores/none`, {
          headers: { authorization: `Bearer ${secret}` },
        });
        const response = await request;
        seen.push(JSON.stringify([...response.headers]), await response.text().catch(String));
      }
    }
    expect([...findSecret(seen.join("\n"), wrong), ...findSecret(seen.join("\n"), ref.token ?? "")]).toEqual(
      [],
    );
  });

  test.each([...tokens, ...keys])(
    "prints %s once when it starts from the command line, and never again",
    async (secret) => {
      const isKey = keys.includes(secret);
      const flags = ["--json", "--control", "--port", "0", isKey ? "--key" : "--token", secret];
      const program = await startProgram(flags);
      const { storeUrl, controlUrl, controlToken } = JSON.parse(program.lines[0] ?? "") as Record<
        string,
        string
      >;
      const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
      for (const form of [...forms, Buffer.from(`user:${secret}`).toString("base64url")]) {
        const path = encodeURIComponent(form);
        for (const target of [`/v1/stores/${path}`, `/v1/stores?cursor=${path}`, `/${path}`])
          await fetch(`${storeUrl}${target}`, { headers: { authorization: `Bearer ${secret}` } });
      }
      const headers = { authorization: `Bearer ${controlToken}` };
      const journal = await (await fetch(`${controlUrl}/journal`, { headers })).text();
      await pause(100);
      expect(program.lines.length).toBeGreaterThan(10);
      expect(findSecret(program.lines.slice(1).join("\n") + program.errors() + journal, secret)).toEqual([]);
    },
  );
});
