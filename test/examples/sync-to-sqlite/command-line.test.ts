import { describe, expect, it } from "vitest";
import { readCommandLine, type UsageError } from "../../../examples/sync-to-sqlite/command-line.ts";
import { pageLimit } from "../../generate/contract-table.ts";

const baseUrl = "https://api.example.com";
const env = { SHELFLEET_TOKEN: "from-env" };
const service = ["--base-url", baseUrl];

describe("readCommandLine", () => {
  it("has defaults for every option except the service", () => {
    expect(readCommandLine(service, env)).toEqual({
      service: { baseUrl, token: "from-env", allowInsecure: false },
      fleet: undefined,
      db: "stores.sqlite",
      since: undefined,
      concurrency: 8,
      pageSize: 100,
      transport: "undici",
    });
  });

  it("uses fetch if asked to", () => {
    expect(readCommandLine([...service, "--fetch"], env)).toMatchObject({ transport: "fetch" });
  });

  it("prefers --token to the environment", () => {
    const settings = readCommandLine([...service, "--token", "from-argv"], env);
    expect(settings).toMatchObject({ service: { token: "from-argv" } });
  });

  it("reads times with any offset", () => {
    const times = ["--since", "2026-01-01T00:00:00+01:00"];
    expect(readCommandLine([...service, ...times], env)).toMatchObject({ since: "2025-12-31T23:00:00.000Z" });
  });

  it("reads the key of the fleet from the environment", () => {
    const fleet = ["--fleet-url", "https://fleet.example.com"];
    expect(readCommandLine([...service, ...fleet], { ...env, SHELFLEET_KEY: "k" })).toMatchObject({
      fleet: { baseUrl: "https://fleet.example.com", key: "k" },
    });
    expect(() => readCommandLine([...service, ...fleet], env)).toThrow("the key of the fleet is missing");
  });

  it("uses the reference server with --demo, but a real service if its URL is given", () => {
    expect(readCommandLine(["--demo"], env)).toMatchObject({ service: undefined, db: "demo.sqlite" });
    expect(readCommandLine(["--demo", ...service], env)).toMatchObject({ service: { baseUrl } });
  });

  it.each<[string, string[], RegExp]>([
    ["an empty --base-url", ["--base-url", ""], /^--base-url is missing/],
    ["--base-url without a value", ["--base-url"], /--base-url <value>' argument missing/],
    [
      "an option in place of a value",
      ["--base-url", "--demo"],
      /^Option '--base-url' argument is ambiguous\.$/,
    ],
    ["an unknown option", [...service, "--speed=secret"], /^Unknown option '--speed'$/],
    ["an argument without an option", [...service, "secret"], /^an argument does not belong to an opt/],
    [
      "a --since without an offset",
      [...service, "--since", "2026-01-01T00:00:00"],
      /^--since must be ISO 8601/,
    ],
    ["a --since that is not a time", [...service, "--since", "2026-13-01T00:00:00Z"], /^--since must be ISO/],
    ["a --concurrency of 0", [...service, "--concurrency", "0"], /^--concurrency must .* from 1 to 64$/],
    [
      "a --page-size over the contract's",
      [...service, "--page-size", String(pageLimit + 1)],
      new RegExp(`^--page-size .* 1 to ${pageLimit}$`),
    ],
    ["an empty --db", [...service, "--db", ""], /^--db must name a file$/],
    ["a --token for the demo", ["--demo", "--token", "t"], /^--token needs --base-url$/],
  ])("rejects %s", (_, args, words) => {
    expect(() => readCommandLine(args, env)).toThrow(words);
  });

  it("rejects a service without a token", () => {
    const message = "the token is missing: set SHELFLEET_TOKEN, or --token";
    expect(() => readCommandLine(service, {})).toThrow(
      expect.objectContaining({ name: "UsageError", message } satisfies Partial<UsageError>) as Error,
    );
  });
});
