import { describe, expect, it } from "vitest";
import { describeFailure, UsageError } from "../../src/cli/output.ts";
import { mockHelp, readCommandLine } from "../../src/cli/command-line.ts";
import type { MockSettings } from "../../src/cli/mock-arguments.ts";
import { mockOptions } from "../../src/cli/mock-flags.ts";

function settings(...args: string[]): Partial<MockSettings> {
  const command = readCommandLine(["mock", ...args]);
  return command.name === "mock" ? command.settings : {};
}

it("no line of an unexpected error is a command of a CI service", () => {
  const { lines } = describeFailure(new Error("a\n::error::b\n    at c\n::warning::d"));
  expect(lines.filter((line) => !line.startsWith("shelfleet: "))).toEqual([]);
});

describe("shelfleet's command-line parser", () => {
  it("refers to --help without a command", () => {
    expect(readCommandLine([])).toEqual({ name: "help", of: "shelfleet" });
    expect(readCommandLine(["--help"])).toEqual({ name: "help", of: "shelfleet" });
    expect(readCommandLine(["mock", "-h"])).toEqual({ name: "help", of: "mock" });
    expect(readCommandLine(["--version"])).toEqual({ name: "version" });
  });

  it("leaves every default except the port to the reference server", () => {
    expect(settings()).toEqual({
      port: 4010,
      host: undefined,
      cors: false,
      json: false,
      allowHosts: [],
      control: false,
      controlToken: undefined,
      seed: undefined,
      stores: undefined,
      protocols: undefined,
      vehicles: undefined,
      token: undefined,
      keys: undefined,
      now: undefined,
      readings: undefined,
      strict: false,
      limits: {},
      quiet: false,
      tokenExpires: undefined,
      keyDefaults: {},
      state: undefined,
      save: undefined,
      hidden: {},
    });
  });

  it("accepts every flag", () => {
    const counts = ["--port", "0", "--seed=-7", "--stores", "3", "--protocols", "0", "--vehicles", "5"];
    const texts = [
      "--host",
      "::1",
      "--token",
      "t",
      "--token-expires",
      "x",
      "--key",
      "a",
      "--key-scopes",
      "vehicles:read, damages:read",
      "--key",
      "b",
      "--key-expires",
      "e",
      "--key-revoked",
      "--save",
      "s",
      "--quiet",
      "--now",
      "n",
      "--readings",
      "r",
      "--limit-per-second",
      "2.5",
      "--limit-burst",
      "7",
      "--retry-after",
      "date",
      "--allow-host",
      "x",
      "--allow-host",
      "y",
      "--control-token",
      "c",
    ];
    expect(settings(...counts, ...texts, "--cors", "--json", "--control", "--strict")).toEqual({
      port: 0,
      seed: -7,
      stores: 3,
      protocols: 0,
      vehicles: 5,
      host: "::1",
      token: "t",
      keys: [
        { key: "a", scopes: ["vehicles:read", "damages:read"] },
        { key: "b", expires: "e", revoked: true },
      ],
      keyDefaults: {},
      tokenExpires: "x",
      state: undefined,
      save: "s",
      quiet: true,
      hidden: {},
      now: "n",
      readings: "r",
      strict: true,
      limits: { perSecond: 2.5, burst: 7, retryAfter: "date" },
      cors: true,
      json: true,
      allowHosts: ["x", "y"],
      control: true,
      controlToken: "c",
    });
  });

  it("prints a help text that names every flag", () => {
    for (const flag of Object.keys(mockOptions)) expect(mockHelp).toContain(`\n  --${flag} `);
  });

  it.each([
    [["nope"], 'Unknown command "nope"; see shelfleet --help'],
    [["--nope"], "Unknown option '--nope'; see shelfleet mock --help"],
    [["mock", "--prot", "1"], "Unknown option '--prot'; see shelfleet mock --help"],
    [["mock", "--stoers=1"], "Unknown option '--stoers' (did you mean --stores?); see shelfleet mock --help"],
    [["mock", "secret"], "Unexpected argument, which belongs to no option; see shelfleet mock --help"],
    [["mock", "--port"], "Option '--port <value>' argument missing; see shelfleet mock --help"],
    [["mock", "--json=1"], "Option '--json' does not take an argument; see shelfleet mock --help"],
    [["mock", "--port", "65536"], '--port must be an integer from 0 to 65535, not "65536"'],
    [["mock", "--port", "4e3"], '--port must be an integer from 0 to 65535, not "4e3"'],
    [["mock", "--port="], '--port must be an integer from 0 to 65535, not ""'],
    [["mock", "--seed", "x"], '--seed must be an integer, not "x"'],
    [["mock", "--stores=-1"], '--stores must be an integer from 0 to 1000000, not "-1"'],
    [["mock", "--vehicles", "1000001"], '--vehicles must be an integer from 0 to 1000000, not "1000001"'],
    [["mock", "--token="], "--token must not be empty"],
    [["mock", "--readings="], "--readings must not be empty"],
    [["mock", "--state="], "--state must not be empty"],
    [["mock", "--config="], "--config must not be empty"],
    [["mock", "--key-expires="], "--key-expires must not be empty"],
    [
      ["mock", "--control-token", "a b"],
      "--control-token must be a string of visible characters that a header can contain",
    ],
    [["mock", "--state", "s", "--stores", "1"], "--stores cannot be given together with --state"],
    [
      ["mock", "--allow-host", "http://mock"],
      '--allow-host must be a host name or an address without scheme, port and path, not "http://mock"',
    ],
    [["mock", "--timeout", "1"], "--timeout needs --wait"],
    [["mock", "--port", "1", "--port", "2"], "--port is given twice"],
    [["mock", "--cors", "--no-cors"], "--cors is given twice"],
    [["mock", "--key", "a", "--key-expires", "x", "--key-expires", "y"], "--key-expires is given twice"],
    [["mock", "--wait", "localhost"], "--wait must be the URL of a server, such as http://127.0.0.1:4010"],
    [["mock", "--wait", "http://a", "--port", "1"], "--port cannot be given together with --wait"],
    [
      ["mock", "--wait", "http://a", "--timeout", "soon"],
      '--timeout must be an integer from 0 to 86400, not "soon"',
    ],
  ])("rejects %j in one line", (args, message) => {
    expect(() => readCommandLine(args)).toThrow(new UsageError(message));
  });
});
