import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readFlags } from "../../src/cli/flags.ts";
import { mockFlags, mockHelp, runMock } from "../../src/cli/mock.ts";
import { CommandError, describeFailure } from "../../src/cli/output.ts";
import { runProve } from "../../src/cli/prove.ts";
import { Program } from "./program.ts";

it.each([
  ["mock", () => runMock(["--help"])],
  ["prove", () => runProve(["--help"])],
])("shelfleet %s --help has lines of at most 120 characters", async (_, run) => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  await run();
  const lines = String(log.mock.calls[0]?.[0]).split("\n");
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

describe("the flags of shelfleet mock", () => {
  it("are read with their types", () => {
    const args = "--port 0 --seed=-7 --vehicles 2 --allow-host a --allow-host b --cors --now system";
    expect(readFlags("mock", mockFlags, args.split(" "))).toMatchObject({
      port: 0,
      seed: -7,
      vehicles: 2,
      "allow-host": ["a", "b"],
      cors: true,
      json: false,
      now: "system",
      token: undefined,
    });
  });

  it("are all in the help", () => {
    const lines = mockHelp().split("\n");
    for (const name of Object.keys(mockFlags))
      expect(lines.filter((line) => line.startsWith(`  --${name} `))).toHaveLength(1);
  });

  it.each([
    [["--prot", "1"], "Unknown option '--prot' (did you mean --port?); see shelfleet mock --help"],
    [["--stoers=1"], "Unknown option '--stoers' (did you mean --stores?); see shelfleet mock --help"],
    [["secret"], "Unexpected argument, which belongs to no option; see shelfleet mock --help"],
    [["--port"], "Option '--port <value>' argument missing; see shelfleet mock --help"],
    [["--json=1"], "Option '--json' does not take an argument; see shelfleet mock --help"],
    [["--port", "4e3"], '--port must be a number, not "4e3"'],
    [["--port="], '--port must be a number, not ""'],
    [["--token="], "--token must not be empty"],
    [["--port", "1", "--port", "2"], "--port is given twice"],
  ])("%j are an error of one line", (args, message) => {
    expect(() => readFlags("mock", mockFlags, args)).toThrow(new CommandError(message));
  });
});

it("no line of an unexpected error is a command of a CI service", () => {
  const { lines } = describeFailure(new Error("a\n::error::b\n    at c\n::warning::d"));
  expect(lines.filter((line) => !line.startsWith("shelfleet: "))).toEqual([]);
});

it("an old Node is named, not what it lacks", async () => {
  const program = new Program(["doctor"], {
    NODE_OPTIONS: "--import=data:text/javascript,delete%20Map.groupBy",
  });
  expect(await program.end()).toBe(2);
  expect(program.stderr).toBe(
    `shelfleet: shelfleet needs Node 22.12 or later, and this is ${process.version}\n`,
  );
});
