import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { saveState } from "../../src/cli/files.ts";
import { type ExportedState, createReferenceServer } from "../../src/mock/index.ts";
import { folderWith } from "./folder.ts";
import { type FirstLine, Program, setVariables, startMock } from "./program.ts";

function call(start: FirstLine, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${start.token}`, "content-type": "application/json" };
  return fetch(start.storeUrl + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

describe("shelfleet mock --state and --save", () => {
  it("saves the state when it exits, and starts with it again", async () => {
    const { folder } = folderWith({});
    const file = join(folder, "state.json");
    const first = await startMock("--stores", "3", "--save", file);
    expect((await call(first.start, "PUT", "/v1/stores/S-1", { name: "Renamed" })).status).toBe(200);
    expect(existsSync(file)).toBe(false);
    expect(await first.program.end("SIGHUP")).toBe(0);
    const text = readFileSync(file, "utf8");
    for (const secret of [first.start.token, ...first.start.keys.map(({ key }) => key)])
      expect(text).not.toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["state.json"]);

    const second = await startMock("--state", file, "--save", file);
    expect(await (await call(second.start, "GET", "/v1/stores/S-1")).json()).toMatchObject({
      name: "Renamed",
    });
    expect(await (await call(second.start, "GET", "/v1/stores")).json()).toMatchObject({
      items: [{}, {}, {}],
    });
    expect(await second.program.end("SIGTERM")).toBe(0);
    const again = JSON.parse(readFileSync(file, "utf8")) as ExportedState;
    expect(again.store).toEqual((JSON.parse(text) as ExportedState).store);
  });

  it.each([
    ["{", "not JSON, at line 1 column 2"],
    ["null", "state must be an object"],
    ['{"version": 2}', "state.version must be 1"],
    ['{"version": 1, "store": {"stores": [{"store": 1}]}}', "state.store.stores[0].store must be an object"],
    ['{"version": 1, "fleet": {"vehicles": [{}]}}', "state.fleet.vehicles[0].id is required"],
  ])("rejects the state %s in one line that names file and place", async (content, message) => {
    const { "state.json": file = "" } = folderWith({ "state.json": content });
    const program = new Program("mock", "--port", "0", "--state", file);
    expect(await program.end()).toBe(1);
    expect(program.stderr).toMatch(/^shelfleet: [^\n]+\n$/);
    expect(program.stderr).toContain(`--state ${file}: `);
    expect(program.stderr).toContain(message);
  });

  it("rejects a state file that does not exist, and a path that cannot be written", async () => {
    const { folder } = folderWith({});
    for (const [args, message] of [
      [["--state", `${folder}/none.json`], `--state ${folder}/none.json: no such file`],
      [
        ["--save", `${folder}/none/state.json`],
        `--save ${folder}/none/state.json: the folder does not exist: ${folder}/none`,
      ],
      [["--save", folder], `--save ${folder}: is a folder`],
      [["--save", "/dev/null"], "--save /dev/null: is a device or a pipe, not a file"],
    ] as const) {
      const program = new Program("mock", "--port", "0", ...args);
      expect(await program.end()).toBe(1);
      expect(program.stderr).toBe(`shelfleet: ${message}\n`);
    }
  });

  it("exits with 1 if the state cannot be saved at the end", async () => {
    const { folder } = folderWith({});
    const file = join(folder, "state.json");
    const { program } = await startMock("--save", file);
    mkdirSync(file);
    expect(await program.end("SIGTERM")).toBe(1);
    expect(program.stderr).toMatch(/^shelfleet: --save .+: the state was not saved \(\w+\)\n$/);
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });
});

describe("saveState", () => {
  it("writes the JSON of the state, one line for each element", () => {
    const { folder } = folderWith({});
    const state = createReferenceServer({ store: { stores: 5 } }).exportState({ full: true });
    const odd = {
      ...state,
      fleet: { vehicles: [{ id: "a", "": [null, { b: [] }] }] },
      sandbox: {},
    };
    for (const one of [state, odd, { version: 1 } as const]) {
      saveState(join(folder, "state.json"), one);
      const text = readFileSync(join(folder, "state.json"), "utf8");
      expect(JSON.parse(text)).toEqual(one);
      expect(text.match(/^ *\{"store":/gm) ?? []).toHaveLength(one === state || one === odd ? 5 : 0);
    }
  });

  it("keeps a symbolic link, and keeps the old file if a state cannot be written", () => {
    const { folder, "real.json": real = "" } = folderWith({ "real.json": "old" });
    const link = join(folder, "link.json");
    symlinkSync(real, link);
    const broken = { version: 1, generatedIds: 1n as unknown as number } as const;
    expect(() => saveState(link, broken)).toThrow("the state was not saved");
    expect(readFileSync(real, "utf8")).toBe("old");
    saveState(link, { version: 1 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, "utf8"))).toEqual({ version: 1 });
    expect(readdirSync(folder).toSorted()).toEqual(["link.json", "real.json"]);
  });
});

describe("shelfleet mock", () => {
  const hex = "0123456789abcdef".repeat(4);

  it("is configured by the environment, and prints none of its secrets", async () => {
    const key = `mine_test_${hex}`;
    setVariables({ SHELFLEET_TOKEN: "token-of-the-environment", SHELFLEET_KEY: key, SHELFLEET_STORES: "1" });
    const json = await startMock();
    expect(json.start).toMatchObject({ token: null, keys: [{ key: null, environment: "sandbox" }] });
    const lines = new Program("mock", "--port", "0");
    const [, token, , , line] = await lines.lines(5);
    expect([token, line]).toEqual([
      `${"token".padEnd(20)}(from SHELFLEET_TOKEN)`,
      `${"key".padEnd(20)}(from SHELFLEET_KEY)`,
    ]);
    const start = { ...json.start, token: "token-of-the-environment" };
    expect(await (await call(start, "GET", "/v1/stores")).json()).toMatchObject({
      items: [{ externalId: "S-1" }],
    });
    expect(json.program.stdout + lines.stdout).not.toMatch(/token-of-the-environment|0123456789abcdef/);
  });

  it("accepts keys with scopes that expire by its clock", async () => {
    const [one, other] = [`one_${hex}`, `other_${hex}`];
    const { start } = await startMock(
      "--control",
      "--now=2026-01-01T00:00:00Z",
      `--key=${one}`,
      "--key-scopes=vehicles:read",
      "--key-expires=2026-01-02T00:00:00Z",
      `--key=${other}`,
      "--token-expires=2026-01-03T00:00:00Z",
    );
    const status = async (path: string, key: string): Promise<number> =>
      (await fetch(start.fleetUrl + path, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await status("/vehicles", one)).toBe(200);
    expect(await status("/damages", one)).toBe(403);
    expect(await status("/damages", other)).toBe(200);
    const headers = { authorization: `Bearer ${start.controlToken}`, "content-type": "application/json" };
    const body = JSON.stringify({ advance: { weeks: 52_000 } });
    expect((await fetch(`${start.controlUrl}/clock`, { method: "POST", headers, body })).status).toBe(204);
    expect([await status("/vehicles", one), await status("/vehicles", other)]).toEqual([401, 200]);
    expect((await call(start, "GET", "/v1/stores")).status).toBe(401);
  });

  it.each([
    [["--key", `a_${hex}`, "--key-scopes", "cars:read"], "--key-scopes[0] must be one of vehicles:read"],
    [["--key-expires", "soon"], "--key-expires must be an ISO 8601 date-time"],
    [["--token-expires", "soon"], "--token-expires must be an ISO 8601 date-time"],
  ])("rejects %j in one line", async (args, message) => {
    const program = new Program("mock", "--port", "0", ...args);
    expect(await program.end()).toBe(1);
    expect(program.stderr).toContain(`shelfleet: ${message}`);
  });

  it("prints no line for a request under --quiet", async () => {
    const { program, start } = await startMock("--quiet");
    expect((await call(start, "GET", "/v1/stores")).status).toBe(200);
    expect(await program.end("SIGTERM")).toBe(0);
    expect(program.stdout.trim().split("\n")).toHaveLength(1);
  });
});

describe("shelfleet mock --wait", () => {
  it("exits with 0 when the server responds", async () => {
    const { program, start } = await startMock();
    const waiting = new Program("mock", "--wait", `${start.storeUrl}/v1`, "--timeout", "60");
    expect(await waiting.end()).toBe(0);
    expect(waiting.stdout + waiting.stderr).toBe("");
    const health = await fetch(`${start.storeUrl}/__ref/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
    expect((await call(start, "GET", "/v1/stores")).status).toBe(200);
    expect((await program.lines(2))[1]).toContain('"path":"/v1/stores"');
  });

  it("exits with 1 if no server responds in time", async () => {
    // port 9 of the loopback address is the discard service, which is not an HTTP server
    const waiting = new Program("mock", "--wait", "http://127.0.0.1:9", "--timeout", "0");
    expect(await waiting.end()).toBe(1);
    expect(waiting.stderr).toBe(
      "shelfleet: no reference server responded at http://127.0.0.1:9 within 0 s\n",
    );
  });
});
