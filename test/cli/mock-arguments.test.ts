import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { StartError, UsageError } from "../../src/cli/output.ts";
import { type MockSettings, readMockArguments } from "../../src/cli/mock-arguments.ts";
import { referenceServer } from "../../src/cli/reference-server.ts";
import { flagNames, mockFlags, variableOf } from "../../src/cli/mock-flags.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { folderWith } from "./folder.ts";

function settings(args: string[], env: NodeJS.ProcessEnv = {}): MockSettings {
  const command = readMockArguments(args, env);
  if (command.name !== "mock") throw new Error(`it is ${command.name}`);
  return command.settings;
}

/** A configuration file for the current test. */
function config(content: unknown): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return folderWith({ "config.json": text })["config.json"] ?? "";
}

/** A value for each kind of flag: as a flag, as a variable and in the file. */
const SAMPLES = {
  switch: { flag: [], variable: "1", property: true },
  integer: { flag: ["7"], variable: "7", property: 7 },
  number: { flag: ["7.5"], variable: "7.5", property: 7.5 },
  text: { flag: ["value"], variable: "value", property: "value" },
  texts: { flag: ["value"], variable: "value", property: ["value"] },
  keys: { flag: ["value"], variable: "value", property: [{ key: "value" }] },
} as const;

describe("the settings of shelfleet mock", () => {
  it("have the clock of createReferenceServer by default", () => {
    const { clock } = createReferenceServer();
    expect(referenceServer(settings([])).clock.now()).toEqual(clock.now());
  });

  it.each(flagNames)("accept --%s as a flag, as a variable and in the configuration file", (name) => {
    const { flag, variable, property } = SAMPLES[mockFlags[name].kind];
    const [first, ...others] = flag;
    // --host requires --token
    const base = name === "host" ? ["--token", "t"] : [];
    const byFlag = settings([...base, `--${name}`, ...(first === undefined ? [] : [first]), ...others]);
    const byVariable = settings(base, { [variableOf(name)]: variable });
    const file = config({ [name]: property });
    const byFile = settings([...base, "--config", file]);
    const { hidden: _, ...expected } = byFlag;
    expect(expected).not.toEqual((({ hidden: _hidden, ...plain }) => plain)(settings(base)));
    expect(byVariable).toMatchObject(expected);
    const path = "path" in mockFlags[name] ? { [name]: join(dirname(file), "value") } : {};
    expect(byFile).toMatchObject({ ...expected, ...path });
  });

  it("prefer a flag to a variable, and a variable to the configuration file", () => {
    const file = config({ port: 1, seed: 1, stores: 1, cors: true, json: true });
    const env = {
      SHELFLEET_CONFIG: file,
      SHELFLEET_SEED: "2",
      SHELFLEET_STORES: "2",
      SHELFLEET_JSON: "false",
    };
    expect(settings(["--stores", "3", "--no-cors"], env)).toMatchObject({
      port: 1,
      seed: 2,
      stores: 3,
      cors: false,
      json: false,
    });
    expect(settings(["--config", config({ port: 9 })], env).port).toBe(9);
  });

  it("treat empty variables as absent", () => {
    expect(settings([], { SHELFLEET_PORT: "", SHELFLEET_CONFIG: "" }).port).toBe(4010);
  });

  it("apply flags about keys to the key before them, or to all keys", () => {
    const { keys, keyDefaults } = settings([
      "--key-scopes=damages:read",
      "--key=a",
      "--key-revoked",
      "--key=b",
      "--key-scopes=vehicles:read,vehicles:write",
      "--key-expires=2027-01-01",
    ]);
    expect(keys).toEqual([
      { key: "a", revoked: true },
      { key: "b", scopes: ["vehicles:read", "vehicles:write"], expires: "2027-01-01" },
    ]);
    expect(keyDefaults).toEqual({ scopes: ["damages:read"] });
    const env = { SHELFLEET_KEY: "a, b", SHELFLEET_KEY_SCOPES: "x,y", SHELFLEET_KEY_EXPIRES: "z" };
    expect(settings([], env)).toMatchObject({
      keys: [{ key: "a" }, { key: "b" }],
      keyDefaults: { scopes: ["x", "y"], expires: "z" },
    });
    const key = { key: "c", scopes: ["x"], expires: "e", revoked: false };
    expect(settings(["--config", config({ key: ["a", key] })]).keys).toEqual([{ key: "a" }, key]);
  });

  it("list the secrets of variables and files as hidden, with their source", () => {
    const file = config({ "control-token": "c" });
    const env = { SHELFLEET_TOKEN: "t", SHELFLEET_KEY: "k" };
    expect(settings(["--config", file, "--key", "k"], env).hidden).toEqual({
      token: "SHELFLEET_TOKEN",
      controlToken: `"control-token" in ${file}`,
    });
  });

  it.each<[string, unknown, string]>([
    ["invalid JSON", "{\n  secret", "not JSON, at line 2 column 3"],
    ["incomplete JSON", '{"port"', "not JSON"],
    ["an array", [], "must be a JSON object of flags and their values"],
    ["null", null, "must be a JSON object of flags and their values"],
    ["an unknown property", { prot: 1 }, 'unknown property "prot". Expected one of port, host, cors'],
    ["the property config", { config: "x" }, 'unknown property "config"'],
    ["the property __proto__", '{"__proto__": 1}', 'unknown property "__proto__"'],
    ["a port of the wrong type", { port: "4010" }, "must be an integer"],
    ["a port with a fraction", { port: 1.5 }, "must be an integer"],
    ["a port out of range", { port: 70_000 }, 'must be an integer from 0 to 65535, not "70000"'],
    ["a switch of the wrong type", { cors: "yes" }, "must be true or false"],
    ["a token of the wrong type", { token: 7 }, "must be a string"],
    ["an empty token", { token: "" }, "must not be empty"],
    ["a wrong list", { "allow-host": ["a", 1] }, "element 1, must be a string"],
    ["a wrong key", { key: [7] }, "element 0, must be a key, or an object of key, scopes, expires, revoked"],
    ["a key with an unknown property", { key: { key: "a", scope: [] } }, 'has the unknown property "scope"'],
    ["a key with wrong scopes", { key: { key: "a", scopes: "x" } }, ": scopes must be an array"],
    ["a key with a wrong revocation", { key: { key: "a", revoked: 1 } }, ": revoked must be true or false"],
    ["a key without a key", { key: { scopes: [] } }, "must be a string"],
  ])("reject a configuration file with %s, and name it", (_name, content, message) => {
    const file = config(content);
    const read = () => settings(["--config", file]);
    expect(read).toThrow(message);
    expect(read).toThrow(file);
    expect(read).not.toThrow("secret");
  });

  it.each([
    [{ SHELFLEET_CONFIG: "/no/such/file" }, new StartError("SHELFLEET_CONFIG /no/such/file: no such file")],
    [{ SHELFLEET_PORT: "x" }, new UsageError('SHELFLEET_PORT must be an integer from 0 to 65535, not "x"')],
    [{ SHELFLEET_CORS: "yes" }, new UsageError("SHELFLEET_CORS must be 1, true, 0 or false")],
    [
      { SHELFLEET_CONTROL_TOKEN: "a secret" },
      new UsageError(
        "SHELFLEET_CONTROL_TOKEN must be a string of visible characters that a header can contain",
      ),
    ],
  ])("reject the environment %j, and name the variable", (env, error) => {
    expect(() => settings([], env)).toThrow(error);
  });
});

describe("the rate-limit flags of shelfleet mock", () => {
  it("set the limits of the reference server", () => {
    const flags = ["--limit-per-second", "0.5", "--limit-burst", "1", "--retry-after", "date"];
    const ref = referenceServer(settings(flags));
    expect(ref.limits).toEqual({ perSecond: 0.5, burst: 1, retryAfter: "date" });
    const get = () =>
      ref.respond({
        base: "store",
        method: "GET",
        target: "/v1/stores",
        authorization: `Bearer ${ref.token}`,
        apiVersion: "v1",
      }).status;
    expect([get(), get()]).toEqual([200, 429]);
  });

  it.each([
    [["--limit-per-second", "0"], '--limit-per-second must be a positive number, not "0"'],
    [["--limit-per-second", "1e3"], '--limit-per-second must be a positive number, not "1e3"'],
    [["--limit-burst", "0"], '--limit-burst must be an integer from 1 to 1000000, not "0"'],
  ])("must be positive: %j", (flags, message) => {
    expect(() => settings(flags)).toThrow(message);
  });

  it("name the forms of Retry-After when the form is unknown", () => {
    expect(() => referenceServer(settings(["--retry-after", "later"]))).toThrow(
      /^--retry-after.*seconds, date/,
    );
  });
});
