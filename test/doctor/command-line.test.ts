import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { blocksOf } from "../documentation.ts";
import { run, urls, variablesOf } from "./run.ts";

const key = (prefix: string): string => `${prefix}_${"a".repeat(64)}`;
const fleet = { SHELFLEET_FLEET_URL: urls.fleetUrl };
const store = { SHELFLEET_STORE_URL: "https://stores.example", SHELFLEET_TOKEN: "t" };

describe("shelfleet doctor", () => {
  it("has help", async () => {
    const { stdout, exitCode } = await run(["--help"], fetch, {});
    expect(stdout).toMatch(/^Usage: shelfleet doctor/);
    expect(exitCode).toBe(0);
  });

  it.each<[string, string[], Record<string, string>, string]>([
    ["no service", [], {}, "SHELFLEET_STORE_URL or SHELFLEET_FLEET_URL must be set"],
    ["no token", [], { SHELFLEET_STORE_URL: "https://stores.example" }, "No token is given"],
    [
      "two tokens",
      [],
      { ...store, SHELFLEET_TOKEN_FILE: "/none/token" },
      "Only one of SHELFLEET_TOKEN and SHELFLEET_TOKEN_FILE may be set",
    ],
    [
      "no file of a variable",
      [],
      { ...fleet, SHELFLEET_KEY: "", SHELFLEET_KEY_FILE: "/none/key" },
      "SHELFLEET_KEY_FILE /none/key: no such file",
    ],
    ["a URL with /v1", ["--store-url", "https://a.example/v1"], store, "must not end in /v1"],
    ["http", ["--store-url", "http://a.example"], store, "must be https"],
    ["no URL", ["--store-url", "stores"], store, "must be an http or https URL"],
    ["a token with a line break", [], { ...store, SHELFLEET_TOKEN: "a\nb" }, "visible ASCII characters"],
    ["no file", ["--token-file", "/none/token"], store, "--token-file /none/token: no such file"],
    [
      "no folder",
      ["--readings", "/none/readings"],
      store,
      "--readings /none/readings: cannot be written (ENOENT)",
    ],
    ["a time", ["--from", "yesterday"], store, "--from must be a time"],
    [
      "a range that ends first",
      ["--from", "2026-02-01", "--to", "2026-01-01"],
      store,
      "must not be after --to",
    ],
    ["a range in the future", ["--from", "2999-01-01"], store, "--from must not be after --to"],
    ["no requests", ["--requests", "0"], store, "--requests must be a positive integer"],
    ["an ID of dots", ["--external-id", ".."], store, "--external-id cannot be part of a path"],
    ["an unknown option", ["--write"], store, "Unknown option '--write'"],
    ["an argument", ["secret-token"], store, "Unexpected argument"],
    ["a key of another form", [], { ...fleet, SHELFLEET_KEY: "not-a-key" }, "The key must have the form"],
    [
      "a token with its scheme",
      [],
      { ...store, SHELFLEET_TOKEN: "Bearer t" },
      'must not begin with "Bearer"',
    ],
    ["a sandbox key", [], { ...fleet, SHELFLEET_KEY: key("a_test") }, "No URL is set for a sandbox key"],
    ["another path", ["--fleet-url", "https://a.example"], { SHELFLEET_KEY: key("a") }, "must end in /api"],
  ])("refuses %s", async (_, args, env, message) => {
    const { stdout, stderr, exitCode } = await run(args, fetch, env);
    expect(stderr).toMatch(/^shelfleet: /);
    expect(stderr).toContain(message);
    expect(stderr + stdout).not.toContain("secret-token");
    expect(exitCode).toBe(2);
  });

  it("reads credentials from files, and writes a readings file that the reference server takes", async () => {
    const ref = createReferenceServer({ ...urls, readings: { "stores.cursor-start": "at" } });
    const home = mkdtempSync(join(tmpdir(), "shelfleet-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const readings = join(home, "readings.json");
    writeFileSync(join(home, "token"), `\uFEFF${ref.token}\n`);
    writeFileSync(join(home, "key"), `${ref.key}\r\n`);
    const { SHELFLEET_TOKEN: _token, SHELFLEET_KEY: _key, ...env } = variablesOf(ref);
    const files = ["--token-file", join(home, "token"), "--key-file", join(home, "key")];
    const args = [...files, "--readings", readings, "--external-id", "S-2"];
    const paths: string[] = [];
    const fetch: typeof ref.fetch = (input, init) => {
      paths.push(new URL(new Request(input, init).url).pathname);
      return ref.fetch(input, init);
    };
    const { exitCode, stdout } = await run([...args, "--verbose"], fetch, env);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("new StoreClient({");
    const seen = JSON.parse(readFileSync(readings, "utf8")) as Record<string, string>;
    expect(createReferenceServer({ readings: seen }).readings["stores.cursor-start"]).toBe("at");
    expect(paths.filter((path) => path.startsWith("/v1/stores/S-2/")).length).toBeGreaterThan(8);
  });

  it("reads credentials from the files of the variables that the clients read", async () => {
    const ref = createReferenceServer(urls);
    const home = mkdtempSync(join(tmpdir(), "shelfleet-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const files = {
      SHELFLEET_TOKEN_FILE: join(home, "token"),
      SHELFLEET_KEY_FILE: join(home, "key"),
    };
    writeFileSync(files.SHELFLEET_TOKEN_FILE, `${ref.token}\n`);
    writeFileSync(files.SHELFLEET_KEY_FILE, `${ref.key}\n`);
    // an empty variable is one that is not set
    const env = { ...variablesOf(ref), SHELFLEET_TOKEN: "", SHELFLEET_KEY: "", ...files };
    const { exitCode, stdout, stderr } = await run(["--verbose"], ref.fetch, env);
    expect(stderr).toBe("");
    expect(stdout).toContain("the store token is accepted");
    expect(stdout).toContain("the production key is accepted");
    expect(exitCode).toBe(0);
    // the file of a flag comes first
    const args = ["--token-file", files.SHELFLEET_KEY_FILE];
    expect((await run(args, ref.fetch, env)).stdout).toContain("FAIL store: 401: the token is wrong");
  });

  it("prints what the guide shows, for a service with a new type of contact and other names in the photo list", async () => {
    const storeUrl = "https://stores.example.com";
    const contact = { name: "Anna", phone: "+48 600 100 200" };
    const ref = createReferenceServer({
      storeUrl,
      now: "system",
      store: { token: "t".repeat(20) },
      readings: { "photos.page-shape": "photos-nextCursor" },
    });
    const client = new StoreClient(ref.storeOptions);
    await client.contacts.replace("S-1", [contact, { ...contact, name: "Ewa" }, { ...contact, name: "Jan" }]);
    Object.assign(ref.state.store.contacts.get("S-1")?.[0] ?? {}, { contactType: "franchise" });
    const env = { SHELFLEET_STORE_URL: storeUrl, SHELFLEET_TOKEN: ref.token };
    const { stdout, exitCode } = await run([], ref.fetch, env);
    const shown = blocksOf("docs/doctor.md").find(({ text }) => text.startsWith("DIFF store"));
    expect(stdout).toBe(shown?.text);
    expect(exitCode).toBe(1);
  });

  it("says that the store of --external-id is unknown", async () => {
    const ref = createReferenceServer(urls);
    const { stdout, exitCode } = await run(["--external-id", "none"], ref.fetch, variablesOf(ref));
    expect(stdout).toContain("404: no store has the external ID of --external-id");
    expect(exitCode).toBe(2);
  });
});
