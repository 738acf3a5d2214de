import { expect, test } from "vitest";
import { readMockArguments } from "../../src/cli/mock-arguments.ts";
import { referenceServer } from "../../src/cli/reference-server.ts";
import { folderWith } from "./folder.ts";

/** Reads a command line; returns the message of its error, or "done". */
function read(args: string[], env: NodeJS.ProcessEnv = {}): string {
  try {
    const command = readMockArguments(args, env);
    if (command.name === "mock") referenceServer(command.settings);
    return "done";
  } catch (error) {
    return String(error);
  }
}

const million = 1_000_000;

// inputs so large that code which takes quadratic time for one does not end within minutes
const flags: [name: string, result: string, work: () => string][] = [
  ["one long flag", "Unknown option", () => read([`--${"x-".repeat(million)}`])],
  ["one long number", "--port must be an integer", () => read(["--port", "9".repeat(million)])],
  ["a list of scopes", "done", () => read(["--key-scopes", "vehicles:read,".repeat(million)])],
  ["commas and blanks", "done", () => read([], { SHELFLEET_ALLOW_HOST: ", ".repeat(million) })],
  ["one long token", "--control-token", () => read(["--control-token", `${"-".repeat(million)} `])],
  ["a long URL to wait for", "done", () => read(["--wait", `http://a/${"%2e/".repeat(million)}`])],
];

test.each(flags)("the command line reads %s in linear time", (_name, result, work) => {
  expect(work()).toContain(result);
});

const rows = Array.from({ length: 400_000 }, (_, id) => ({ id: `v${id}` }));
const files: [name: string, flag: string, result: string, content: string][] = [
  ["a configuration file of blanks", "--config", "StartError: --config", `{${" ".repeat(million)}`],
  ["a configuration file of brackets", "--config", "StartError: --config", `{"key":${"[".repeat(million)}`],
  [
    "a configuration file of hosts",
    "--config",
    "done",
    JSON.stringify({ stores: 0, vehicles: 0, "allow-host": Array.from({ length: million }, () => "a") }),
  ],
  [
    "a configuration file of equal names",
    "--config",
    "done",
    `{${'"stores":0,'.repeat(million)}"vehicles":0}`,
  ],
  [
    "a readings file of equal names",
    "--readings",
    "unknown gap",
    `{${'"stores.omitted-fields":"keep",'.repeat(million)}"x":"y"}`,
  ],
  ["a state file of rows", "--state", "done", JSON.stringify({ version: 1, fleet: { vehicles: rows } })],
  [
    "a state file of brackets",
    "--state",
    "StartError: --state",
    `{"version":1,"store":${"[".repeat(million)}`,
  ],
  [
    "a state file of wrong stores",
    "--state",
    "StartError: --state",
    `{"version":1,"store":{"stores":[${"1,".repeat(million)}1]}}`,
  ],
];

test.each(files)("the command line reads %s in linear time", (_name, flag, result, content) => {
  const { folder } = folderWith({ content });
  expect(read([flag, `${folder}/content`])).toContain(result);
});
