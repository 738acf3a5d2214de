import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fleetFromEnv, storeFromEnv } from "../../src/index.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "shelfleet-secret-"));
  file = join(folder, "secret");
});
afterEach(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true });
});

const key = (digit: string) => `acme_${digit.repeat(64)}`;
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const statusOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => (error as { status?: number }).status);

const notFound = { code: "not_found", message: "no such store" };

/** A service that accepts one secret, and the secrets that it received. */
function service(accepted: string) {
  const received: string[] = [];
  const state = { accepted };
  const fetch: Fetch = async (_, { headers }) => {
    const secret = new Headers(headers).get("authorization")?.replace(/^Bearer /, "") ?? "";
    received.push(secret);
    if (secret !== state.accepted)
      return Response.json({ error: { code: "unauthorized", message: "no" } }, { status: 401 });
    return Response.json({ error: notFound, errors: [notFound] }, { status: 404 });
  };
  return { fetch, received, state };
}

const apis = [
  {
    api: "store",
    name: "SHELFLEET_TOKEN",
    secrets: ["token-1", "token-2", "token-3"],
    make: (env: object, fetch: Fetch) => {
      const store = storeFromEnv({ fetch, retry: 0 }, { SHELFLEET_STORE_URL: "https://a.example", ...env });
      return async (): Promise<unknown> => store.stores.get("S-1");
    },
  },
  {
    api: "fleet",
    name: "SHELFLEET_KEY",
    secrets: [key("1"), key("2"), key("3")],
    make: (env: object, fetch: Fetch) => {
      const url = "https://a.example/api/third-party/v1";
      const fleet = fleetFromEnv({ fetch, retry: 0 }, { SHELFLEET_FLEET_URL: url, ...env });
      return async (): Promise<unknown> => fleet.vehicles.get("1");
    },
  },
] as const;

describe.each(apis)("the secret of the $api client in a file", ({ name, secrets, make }) => {
  const [first, second, third] = secrets;
  const variable = `${name}_FILE`;

  it("is read at the start, without its line break, and again after a 401", async () => {
    const { fetch, received, state } = service(first);
    writeFileSync(file, `\ufeff${first}\r\n`);
    const call = make({ [variable]: ` ${file} ` }, fetch);
    expect(await statusOf(call())).toBe(404);
    writeFileSync(file, `${second}\n`);
    expect(await statusOf(call())).toBe(404);
    state.accepted = second;
    expect(await Promise.all([call(), call(), call()].map(statusOf))).toEqual([404, 404, 404]);
    expect(await statusOf(call())).toBe(404);
    expect(received.slice(0, 2)).toEqual([first, first]);
    expect(received.slice(2).filter((secret) => secret === first)).toHaveLength(3);
    expect(received.at(-1)).toBe(second);
    writeFileSync(file, third);
    state.accepted = third;
    expect([await statusOf(call()), received.slice(-2)]).toEqual([404, [second, third]]);
  });

  it("that the file still has is rejected with the 401", async () => {
    const { fetch, received } = service(second);
    writeFileSync(file, first);
    expect(await statusOf(make({ [variable]: file }, fetch)())).toBe(401);
    expect(received.every((secret) => secret === first)).toBe(true);
  });

  it("that cannot be read again is an error that names the file and no secret, and the next call reads it", async () => {
    const { fetch } = service(second);
    writeFileSync(file, first);
    const call = make({ [variable]: file }, fetch);
    rmSync(file);
    const gone = expect.objectContaining({
      name: "ConfigurationError",
      message: expect.stringContaining(file) as string,
    }) as Error;
    await expect(call()).rejects.toEqual(gone);
    writeFileSync(file, second);
    expect(await statusOf(call())).toBe(404);
  });

  it.each([
    ["is missing", undefined, /cannot be read: ENOENT/],
    ["is empty", "\n", /must be a string of visible ASCII characters/],
    ["has two lines", "a\nb", /must be a string of visible ASCII characters/],
  ])("is a ConfigurationError at the start if the file %s", (_, content, message) => {
    if (content !== undefined) writeFileSync(file, content);
    const start = () => make({ [variable]: file }, fetch);
    expect(start).toThrow(message);
    expect(start).toThrow(expect.objectContaining({ name: "ConfigurationError" }) as Error);
  });

  it("and in a variable is a ConfigurationError", () => {
    writeFileSync(file, first);
    expect(() => make({ [name]: first, [variable]: file }, fetch)).toThrow(
      `Only one of the environment variables ${name} and ${variable} may be set`,
    );
    expect(make({ [name]: first, [variable]: "" }, fetch)).toBeTypeOf("function");
  });

  it.each([
    ["a browser", undefined],
    ["a worker", { env: {} }],
  ])("is a ConfigurationError in %s", (_, process) => {
    writeFileSync(file, first);
    vi.stubGlobal("process", process);
    expect(() => make({ [variable]: file }, fetch)).toThrow(`${variable} needs Node, Bun or Deno`);
  });
});

it("an option has precedence over the file", () => {
  const env = { SHELFLEET_STORE_URL: "https://a.example", SHELFLEET_TOKEN_FILE: join(folder, "missing") };
  expect(storeFromEnv({ token: "a" }, env).baseUrl).toBe("https://a.example");
});
