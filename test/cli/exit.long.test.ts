import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { cli, Program, startMock } from "./program.ts";

describe("shelfleet mock, after a signal,", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "exits with 0 on %s, also while a request stalls and when the signal is repeated",
    async (signal) => {
      const { program, start } = await startMock("--control");
      await fetch(`${start.controlUrl}/overrides`, {
        method: "POST",
        headers: { authorization: `Bearer ${start.controlToken}`, "content-type": "application/json" },
        body: JSON.stringify({ operation: "getStore", fault: "stall" }),
      });
      const stalled = fetch(`${start.storeUrl}/v1/stores/S-1`).catch(() => "cut");
      await program.lines(3);
      program.child.kill(signal);
      expect(await program.end(signal)).toBe(0);
      expect(await stalled).toBe("cut");
      expect(program.stderr).toBe("");
      expect(program.stdout).toMatch(/"status":null,"fault":"stall"/);
    },
  );

  it.each([
    ["has gone", (program: Program) => void program.child.stdout.destroy()],
    ["does not read", (program: Program) => void program.child.stdout.pause()],
  ])("exits with 0 although the reader of its output %s, and delays no request", async (_, disturb) => {
    const { program, start } = await startMock();
    disturb(program);
    const long = "x".repeat(15_000);
    for (let index = 0; index < 200; index++) {
      const response = await fetch(`${start.storeUrl}/${long}`);
      expect(response.status).toBe(404);
      await response.text();
    }
    program.child.kill("SIGTERM");
    expect(await new Promise((resolve) => program.child.once("exit", resolve))).toBe(0);
    expect(program.stderr).toBe("");
  });
});

describe("shelfleet", () => {
  it("prints its version, which is the package's", async () => {
    const program = new Program(["--version"]);
    expect(await program.end()).toBe(0);
    const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    expect(program.stdout).toBe(`${(JSON.parse(file) as { version: string }).version}\n`);
  });

  it.each([
    [[], "Usage: shelfleet <command>"],
    [["--help"], "Usage: shelfleet <command>"],
    [["mock", "--help"], "Usage: shelfleet mock [options]"],
    [["doctor", "--help"], "Usage: shelfleet doctor [options]"],
    [["prove", "--help"], "Usage: shelfleet prove [options]"],
  ])("prints its help for %j", async (args, beginning) => {
    const program = new Program(args);
    expect(await program.end()).toBe(0);
    expect(program.stdout.slice(0, beginning.length)).toBe(beginning);
    expect(program.stderr).toBe("");
  });

  it("rejects an unknown command", async () => {
    const program = new Program(["nope"]);
    expect(await program.end()).toBe(2);
    expect(program.stderr).toBe('shelfleet: Unknown command "nope"; see shelfleet --help\n');
  });

  it.skipIf(process.platform !== "linux").each([["--version"], ["prove", "--help"]])(
    "%s with an output that cannot be written exits with 2",
    (...args) => {
      const full = openSync("/dev/full", "w");
      onTestFinished(() => closeSync(full));
      const { status, stderr } = spawnSync(process.execPath, [cli, ...args], {
        stdio: ["ignore", full, "pipe"],
      });
      expect([status, String(stderr)]).toEqual([2, "shelfleet: the output cannot be written (ENOSPC)\n"]);
    },
  );
});

it("a terminal that was closed does not end a program that has still to restore data", () => {
  const output = new URL("../../src/cli/output.ts", import.meta.url);
  const lines = [
    `import { watchOutput } from ${JSON.stringify(output.href)};`,
    "watchOutput();",
    'process.stderr.emit("error", new Error("EIO"));',
    'console.log("restored");',
  ];
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", lines.join("\n")]);
  expect([status, String(stdout)]).toEqual([0, "restored\n"]);
});

describe("shelfleet", () => {
  it.each([
    [
      "an unknown command",
      ["dcotor"],
      2,
      'Unknown command "dcotor" (did you mean doctor?); see shelfleet --help',
    ],
    ["an unknown flag of mock", ["mock", "--prot", "1"], 2, "(did you mean --port?)"],
    ["an unknown flag of doctor", ["doctor", "--reqests=1"], 2, "(did you mean --requests?)"],
    ["an unknown flag of prove", ["prove", "--taks", "a"], 2, "(did you mean --tasks?)"],
    ["doctor without a service", ["doctor"], 2, "SHELFLEET_STORE_URL or SHELFLEET_FLEET_URL must be set"],
    ["a file that does not exist", ["mock", "--readings", "none"], 2, "--readings none: no such file"],
  ])("ends after %s with one line and its exit code", async (_, args, exitCode, text) => {
    const program = new Program(args);
    expect(await program.end()).toBe(exitCode);
    expect(program.stderr).toMatch(/^shelfleet: .*\n$/);
    expect(program.stderr).toContain(text);
    expect(program.stdout).toBe("");
  });

  it.each([["help"], ["--help"], []])("prints its commands for %j", async (...args) => {
    const program = new Program(args);
    expect(await program.end()).toBe(0);
    expect(program.stdout).toMatch(/^Usage: shelfleet <command>/);
  });

  it.each([
    [["help", "doctor"], "doctor"],
    [["mock", "help"], "mock"],
    [["doctor", "--help"], "doctor"],
    [["prove", "-h"], "prove"],
  ])("prints the help of a command for %j", async (args, command) => {
    const program = new Program(args);
    expect(await program.end()).toBe(0);
    expect(program.stdout).toContain(`Usage: shelfleet ${command} [options]`);
  });
});
