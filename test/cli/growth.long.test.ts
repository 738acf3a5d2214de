import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readMockArguments } from "../../src/cli/mock-arguments.ts";
import { referenceServer } from "../../src/cli/reference-server.ts";
import { textOf } from "../../src/cli/files.ts";
import { type ExportedState, createReferenceServer } from "../../src/mock/index.ts";
import { growth } from "../proof/growth.ts";
import { folderWith } from "./folder.ts";

const hex = "0".repeat(64);

/** Reads a command line until its first error. */
function read(args: string[], env: NodeJS.ProcessEnv = {}): void {
  try {
    const command = readMockArguments(args, env);
    if (command.name === "mock") referenceServer(command.settings);
  } catch {
    // invalid input must also be rejected in linear time
  }
}

/** Flags for a server without data, so that only the input takes time. */
const EMPTY = ["--stores", "0", "--vehicles", "0"];

const keys = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => `k${index}_${hex.slice(0, 56)}${index.toString(16).padStart(8, "0")}`,
  );

const state = createReferenceServer({ store: { stores: 40 } }).exportState({ full: true });
const stores = state.store?.stores ?? [];
const manyStores = (count: number): ExportedState => ({
  version: 1,
  store: {
    stores: Array.from({ length: count }, (_, index) => {
      const one = stores[index % stores.length];
      if (one === undefined) throw new Error("there are stores");
      return { ...one, store: { ...one.store, externalId: `S-${index}` } };
    }),
  },
});

const flags: [name: string, work: (size: number) => void, size: number][] = [
  ["many flags", (size) => read(Array.from({ length: size }, () => ["--allow-host", "a"]).flat()), 1_000],
  ["many keys", (size) => read([...EMPTY, ...keys(size).flatMap((key) => ["--key", key])]), 100],
  ["one long flag", (size) => read([`--${"x-".repeat(size)}`]), 20_000],
  ["one long number", (size) => read(["--port", "9".repeat(size)]), 50_000],
  ["a list of scopes", (size) => read(["--key-scopes", "vehicles:read,".repeat(size)]), 500],
  ["commas and blanks", (size) => read([], { SHELFLEET_ALLOW_HOST: ", ".repeat(size) }), 20_000],
  ["one long token", (size) => read(["--control-token", `${"-".repeat(size)} `]), 50_000],
  ["a long URL to wait for", (size) => read(["--wait", `http://a/${"%2e/".repeat(size)}`]), 10_000],
];

test.each(flags)("the command line reads %s in linear time", async (_name, work, size) => {
  expect(await growth((factor) => work(size * factor))).toBeLessThan(1.75);
});

const files: [name: string, flag: string, content: (size: number) => string, size: number][] = [
  ["a configuration file of blanks", "--config", (size) => `{${" ".repeat(size)}`, 100_000],
  ["a configuration file of brackets", "--config", (size) => `{"key":${"[".repeat(size)}`, 50_000],
  [
    "a configuration file of hosts",
    "--config",
    (size) =>
      JSON.stringify({ stores: 0, vehicles: 0, "allow-host": Array.from({ length: size }, () => "a") }),
    5_000,
  ],
  [
    "a configuration file of keys",
    "--config",
    (size) => JSON.stringify({ stores: 0, vehicles: 0, key: keys(size) }),
    100,
  ],
  [
    "a configuration file of equal names",
    "--config",
    (size) => `{${'"stores":0,'.repeat(size)}"vehicles":0}`,
    10_000,
  ],
  [
    "a readings file of equal names",
    "--readings",
    (size) => `{${'"stores.omitted-fields":"keep",'.repeat(size)}"x":"y"}`,
    10_000,
  ],
  [
    "a readings file of unknown names",
    "--readings",
    (size) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, index) => [`g${index}`, "x"]))),
    5_000,
  ],
  ["a state file of stores", "--state", (size) => JSON.stringify(manyStores(size)), 40],
  [
    "a state file of rows",
    "--state",
    (size) =>
      JSON.stringify({
        version: 1,
        fleet: { vehicles: Array.from({ length: size }, (_, id) => ({ id: `v${id}` })) },
      }),
    4_000,
  ],
  [
    "a state file of tenants",
    "--state",
    (size) => `{"version":1,"tenants":[${"{},".repeat(size)}{}]}`,
    2_000,
  ],
  ["a state file of brackets", "--state", (size) => `{"version":1,"store":${"[".repeat(size)}`, 50_000],
  [
    "a state file of wrong stores",
    "--state",
    (size) => `{"version":1,"store":{"stores":[${"1,".repeat(size)}1]}}`,
    20_000,
  ],
];

test.each(files)("the command line reads %s in linear time", async (_name, flag, content, size) => {
  const paths = folderWith(Object.fromEntries([1, 8].map((factor) => [`${factor}`, content(size * factor)])));
  const others = flag === "--readings" ? EMPTY : [];
  const power = await growth((factor) => read([...others, flag, paths[factor] ?? ""]));
  expect(power).toBeLessThan(1.75);
});

test("the command line writes a state in linear time", async () => {
  const small = manyStores(40);
  const large = manyStores(320);
  const { folder } = folderWith({});
  const power = await growth((factor) =>
    writeFileSync(`${folder}/state`, [...textOf(factor === 1 ? small : large)].join("")),
  );
  expect(power).toBeLessThan(1.75);
});
