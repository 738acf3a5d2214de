import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { serve } from "../../../src/mock/node.ts";
import { Program, setVariables, startMock } from "../../cli/program.ts";
import { createAuthority } from "../../client/node/certificates.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "shelfleet-proxy-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

interface Line {
  readonly type: string;
  readonly storeUrl: string;
  readonly fleetUrl: string;
  readonly sandboxUrl: string;
  readonly operation: string;
  readonly place: string;
  readonly exchanges: number;
  readonly violations: { operation: string; count: number }[];
}

const parseLine = (line: string): Line => JSON.parse(line) as Line;

/** `shelfleet proxy` in front of a reference server. */
async function startProxy(...args: string[]) {
  const ref = createReferenceServer({ store: { stores: 3 }, fleet: { vehicles: 3 } });
  const served = await serve(ref);
  onTestFinished(() => served.close());
  const { storeUrl, fleetUrl, sandboxUrl } = served;
  const urls = ["--store-url", storeUrl, "--fleet-url", fleetUrl, "--sandbox-url", sandboxUrl];
  const program = new Program("proxy", "--port", "0", "--json", ...urls, ...args);
  const [line = ""] = await program.lines(1);
  return { ref, program, start: parseLine(line) };
}

describe("shelfleet proxy", () => {
  it("prints URLs, violations and a summary, and exits with 1 if the service violated the contract", async () => {
    const { ref, program, start } = await startProxy("--fail");
    expect(start.type).toBe("listening");
    expect(start.storeUrl).toContain("http://127.0.0.1:");
    const headers = { authorization: `Bearer ${ref.token}` };
    ref.on("getStore").once({ body: { storeId: 1 } });
    for (const id of ["S-1", "S-2"])
      await (await fetch(`${start.storeUrl}/v1/stores/${id}`, { headers })).text();
    const key = { authorization: `Bearer ${ref.keys[0]?.key}` };
    expect((await fetch(`${start.fleetUrl}/vehicles`, { headers: key })).status).toBe(200);
    expect(await program.end("SIGINT")).toBe(1);
    const lines = program.stdout.trim().split("\n").map(parseLine);
    const violations = lines.filter(({ type }) => type === "violation");
    expect(violations.map(({ operation }) => operation)).toEqual(
      Array.from({ length: 11 }, () => "getStore"),
    );
    expect(violations.map(({ place }) => place)).toContain("/storeId");
    expect(lines.at(-1)).toMatchObject({ type: "summary", exchanges: 3 });
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "exits with 0 on %s after it has written the log",
    async (signal) => {
      const log = join(folder(), "log.ndjson");
      const { ref, program, start } = await startProxy("--fail", "--log", log);
      await (
        await fetch(`${start.storeUrl}/v1/stores`, { headers: { authorization: `Bearer ${ref.token}` } })
      ).text();
      expect(await program.end(signal)).toBe(0);
      expect(readFileSync(log, "utf8").split("\n")).toHaveLength(2);
      expect(statSync(log).mode & 0o777).toBe(0o600);
      expect(readFileSync(log, "utf8") + program.stdout + program.stderr).not.toContain(ref.token);
    },
  );

  it("forwards to a service over TLS, whose certificate must be valid", async () => {
    const authority = createAuthority();
    const certificate = authority.issue("localhost", { hosts: ["localhost"] });
    const server = createServer({ key: certificate.key, cert: certificate.cert }, (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"items":[],"nextCursor":null}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const file = join(folder(), "ca.pem");
    writeFileSync(file, authority.cert);
    const statusOf = async (): Promise<number> => {
      const program = new Program("proxy", "--port", "0", "--json", "--store-url", url);
      const [line = ""] = await program.lines(1);
      const { status } = await fetch(`${parseLine(line).storeUrl}/v1/stores`);
      await program.end("SIGTERM");
      return status;
    };
    expect(await statusOf()).toBe(502);
    setVariables({ NODE_EXTRA_CA_CERTS: file });
    expect(await statusOf()).toBe(200);
  });

  it("does not count violations by the program for --fail", async () => {
    const { program, start } = await startProxy("--fail");
    await (await fetch(`${start.storeUrl}/v1/stores?limit=0`)).text();
    expect(await program.end("SIGTERM")).toBe(0);
    expect(program.stdout).toContain('"side":"request"');
  });

  it("exits with 1 if lines of the log are missing", async () => {
    const { program, start } = await startProxy("--log", "/dev/full");
    await (await fetch(`${start.storeUrl}/v1/stores`)).text();
    expect(await program.end("SIGTERM")).toBe(1);
    expect(program.stderr).toContain("--log /dev/full: lines are missing: ");
  });

  it.skipIf(!existsSync("/proc/self/syscall"))(
    "ends with a signal while its log is a pipe without a reader",
    async () => {
      const pipe = join(folder(), "log");
      execFileSync("mkfifo", [pipe]);
      const program = new Program("proxy", "--port", "0", "--store-url", "http://127.0.0.1:1", "--log", pipe);
      const call = `/proc/${program.child.pid}/syscall`; // the program opens a file to append
      await expect
        .poll(() => readFileSync(call, "utf8"), { timeout: 300_000 })
        .toMatch(/^\d+ \w+ \w+ 0x80441 /);
      expect(await program.end("SIGTERM")).toBe("SIGTERM");
    },
  );

  it("warns if other machines can connect", async () => {
    const { program } = await startProxy("--host", "0.0.0.0");
    await program.end("SIGTERM");
    expect(program.stderr).toContain("warning: other machines can send requests through this proxy");
  });

  it.each([
    [["proxy"], 2, "No service: expected --store-url, --fleet-url or --sandbox-url"],
    [
      ["proxy", "--store-url", "nowhere"],
      2,
      "--store-url must be an http or https URL such as https://api.example.com",
    ],
    [["proxy", "--port", "many"], 2, '--port must be an integer from 0 to 65535, not "many"'],
    [
      ["proxy", "--allow-host", "http://a"],
      2,
      '--allow-host must be a host name or an address without scheme, port and path, not "http://a"',
    ],
    [
      ["proxy", "secret-text"],
      2,
      "Unexpected argument, which belongs to no option; see shelfleet proxy --help",
    ],
    [["proxy", "--nothing"], 2, "Unknown option '--nothing'; see shelfleet proxy --help"],
    [
      ["proxy", "--store-url", "http://a", "--log", "/nowhere/log"],
      1,
      "--log /nowhere/log: cannot be written (ENOENT)",
    ],
    [["compare"], 2, "No service: expected --store-url or --fleet-url"],
    [
      ["compare", "--store-url", "http://127.0.0.1:1"],
      2,
      "--readings is missing: expected the readings file of shelfleet probe",
    ],
    [
      ["compare", "--store-url", "http://127.0.0.1:1", "--readings", "r"],
      2,
      "--store-url needs SHELFLEET_TOKEN",
    ],
    [
      ["compare", "--store-url", "http://example.com", "--readings", "r"],
      2,
      "--store-url must be an https URL (http only for a loopback host, or with --allow-insecure)",
    ],
    [["prove", "--env", "A=1", "--env", "A=2", "--", "true"], 2, "--env A is given twice"],
    [["mock", "--twin", "/nowhere"], 1, "--twin /nowhere: no such file"],
  ])("ends for the arguments %j with exit code %i", async (args, code, text) => {
    const program = new Program(...args);
    expect(await program.end()).toBe(code);
    expect(program.stderr).toBe(`shelfleet: ${text}\n`);
  });

  it.each(["proxy", "compare"])("prints its flags for %s --help", async (command) => {
    const program = new Program(command, "--help");
    expect(await program.end()).toBe(0);
    expect(program.stdout).toContain(`Usage: shelfleet ${command} [options]`);
  });
});

describe("a log of shelfleet proxy", () => {
  const READINGS = {
    "photos.page-shape": "photos-nextCursor",
    "fleet.unsent-filters": "absent",
    "responses.nullable-properties": "absent",
    "errors.issue-codes": "absent",
  } as const;

  /** The log of some reads from a server with its own readings. */
  async function recordLog(): Promise<string> {
    const log = join(folder(), "log.ndjson");
    const ref = createReferenceServer({ readings: READINGS, store: { stores: 3 }, fleet: { vehicles: 3 } });
    const served = await serve(ref);
    onTestFinished(() => served.close());
    const urls = ["--store-url", served.storeUrl, "--fleet-url", served.fleetUrl];
    const program = new Program("proxy", "--port", "0", "--json", ...urls, "--log", log);
    const [line = ""] = await program.lines(1);
    const { storeUrl, fleetUrl } = parseLine(line);
    const read = async (url: string, secret: string | undefined) => {
      await (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).text();
    };
    const range = "from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z";
    await read(`${storeUrl}/v1/stores`, ref.token);
    for (const id of ["S-1", "S-2", "S-3"]) {
      for (const path of [
        "contacts",
        "expectations",
        "expositions",
        `photos?${range}`,
        `protocols?${range}`,
        "photos?limit=0",
      ])
        await read(`${storeUrl}/v1/stores/${id}/${path}`, ref.token);
    }
    for (const path of ["vehicles", "vehicle-fields", "vehicle-fields?limit=1", "damages", "inspections"])
      await read(`${fleetUrl}/${path}`, ref.keys[0]?.key);
    await program.end("SIGTERM");
    return log;
  }

  it("lets shelfleet probe find the readings, and starts a twin with these readings and the recorded rows", async () => {
    const log = await recordLog();
    const probe = new Program("probe", "--log", log, "--json");
    expect(await probe.end()).toBe(0);
    const { readings } = JSON.parse(probe.stdout) as { readings: Record<string, string> };
    expect(readings).toMatchObject(READINGS);
    expect(probe.stderr).toBe("");

    const damaged = join(folder(), "damaged.ndjson");
    const whole = readFileSync(log, "utf8");
    const lines = whole.trimEnd().split("\n").length;
    writeFileSync(
      damaged,
      `${whole}{"v":1,"method":\n\n${whole.slice(0, whole.indexOf("\n")).replace('"v":1', '"v":2')}\n`,
    );
    const notes = new Program("probe", "--log", damaged);
    expect(await notes.end()).toBe(0);
    expect(notes.stderr).toBe(
      `shelfleet: --log ${damaged}: not used, because cut or without a body: 2 of ${lines + 2} lines\n`,
    );

    const { program, start } = await startMock("--twin", log);
    const headers = { authorization: `Bearer ${start.token}` };
    const get = async (path: string) =>
      (await (await fetch(start.storeUrl + path, { headers })).json()) as Record<string, { name: string }[]>;
    const stores = (await get("/v1/stores"))["items"] ?? [];
    expect(stores).toMatchObject([{ externalId: "S-1" }, { externalId: "S-2" }, { externalId: "S-3" }]);
    expect(stores[0]?.name).toMatch(/^redacted-/);
    const photos = await get("/v1/stores/S-1/photos?from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z");
    expect(photos["photos"]?.length).toBeGreaterThan(0);
    const { error } = (await get("/v1/stores/S-1/photos?limit=0")) as unknown as {
      error: { issues: object[] };
    };
    expect(error.issues.map((issue) => "code" in issue)).toEqual(error.issues.map(() => false));
    expect(error.issues.length).toBeGreaterThan(0);
    expect(await program.end("SIGTERM")).toBe(0);
  });

  it("is rejected by the twin if it is another file", async () => {
    const file = join(folder(), "other.txt");
    writeFileSync(file, "something else\n");
    const program = new Program("mock", "--twin", file);
    expect(await program.end()).toBe(1);
    expect(program.stderr).toBe(`shelfleet: --twin ${file}: The file is not a log of shelfleet proxy\n`);
  });
});
