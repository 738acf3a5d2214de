import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ContractChecker } from "../../../src/field/proxy/check/check.ts";
import type { Body } from "../../../src/field/proxy/check/exchange.ts";
import { recordOf } from "../../../src/field/proxy/log/record.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { serve } from "../../../src/mock/node.ts";
import { LogFile } from "../../../src/field/proxy/log/log-file.ts";
import { proxyFor } from "./upstream.ts";
import { mockReadings } from "../../../generated/readings.ts";
import { probe } from "../../../src/field/probe/probe.ts";
import { type Recorded, readTrafficLog } from "../../../src/field/probe/recordings.ts";
import { probeTraffic } from "../../../src/field/probe/traffic.ts";
import type { ProbeReport } from "../../../src/field/probe/report.ts";
import { foundIn, optionsFor } from "../probe/run.ts";
import { type Readings, type Subject, modelSubject, referenceSubject, seeded } from "../probe/subjects.ts";
import { violations } from "./walk.ts";

const pseudonym = (text: string): string => createHmac("sha256", "test").update(text).digest("hex");

const bodyOf = (text: string): Body => (text === "" ? { kind: "none" } : { kind: "text", text });

/** The log of everything that a program sends through `fetch`, and the violations in the responses. */
class Recorder {
  readonly lines: string[] = [];
  readonly broken: string[] = [];
  readonly #checker = new ContractChecker();
  readonly #subject: Pick<Subject, "options">;

  constructor(subject: Pick<Subject, "options">) {
    this.#subject = subject;
  }

  readonly fetch = async (input: Request): Promise<Response> => {
    const text = await input.clone().text();
    const response = await (this.#subject.options.fetch ?? fetch)(input);
    this.#record(input, text, response, await response.clone().text());
    return response;
  };

  #record(request: Request, sent: string, response: Response, text: string): void {
    const { storeUrl = "", fleetUrl = "", sandboxUrl = "" } = this.#subject.options;
    const bases = [
      ["sandbox", "fleet", sandboxUrl],
      ["fleet", "fleet", fleetUrl],
      ["store", "store", storeUrl],
    ] as const;
    const [service, api, baseUrl] =
      bases.find(([, , base]) => base !== "" && request.url.startsWith(base)) ?? bases[2];
    const [path = "", query = ""] = request.url.slice(baseUrl.length).split("?");
    const exchange = { api, method: request.method, path, query, status: response.status };
    const { findings, operation } = this.#checker.check({
      ...exchange,
      requestHeaders: Object.fromEntries(request.headers),
      requestBody: bodyOf(sent),
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: bodyOf(text),
    });
    this.broken.push(...violations(findings.filter(({ side }) => side === "response")));
    const record = recordOf(
      {
        ...exchange,
        service,
        baseUrl,
        operation,
        contentType: response.headers.get("content-type") ?? "",
        body: bodyOf(text),
        milliseconds: 1,
        violations: [],
      },
      new Date(0),
      pseudonym,
    );
    this.lines.push(JSON.stringify(record));
  }
}

/** Readings in a report that differ from those of the service. */
function wrong({ readings }: ProbeReport, truth: Readings): string[] {
  return Object.entries(readings).flatMap(([gap, reading]) =>
    truth[gap] === undefined || truth[gap] === reading ? [] : [`${gap}: ${reading}, is ${truth[gap]}`],
  );
}

const RUNS = Number(process.env["BLIND"] ?? 5);

describe.each([
  ["the reference server", referenceSubject],
  ["a server that shares no code with the project", modelSubject],
] as const)("a log of %s under random readings", (name, make) => {
  it("never leads to a wrong reading, and contains no violation", async () => {
    let found = 0;
    for (let seed = 0; seed < RUNS; seed += 1) {
      const subject = make(seed, [3, 12, 60][seed % 3] ?? 12);
      const recorder = new Recorder(subject);
      await probe({ ...optionsFor(subject, "write"), fetch: recorder.fetch, maxRequests: 400 });
      const report = probeTraffic(readTrafficLog(recorder.lines.join("\n")), {});
      expect({ seed, wrong: wrong(report, subject.truth) }).toEqual({ seed, wrong: [] });
      expect({ seed, broken: [...new Set(recorder.broken)] }).toEqual({ seed, broken: [] });
      found += foundIn(report, subject.truth).size;
    }
    process.stdout.write(`${name}: ${(found / RUNS).toFixed(1)} readings found in a log\n`);
    expect(found / RUNS).toBeGreaterThan(8);
  });
});

it.each([101, 102, 103])("a log of a running proxy never leads to a wrong reading, seed %i", async (seed) => {
  const random = seeded(seed);
  const readings = Object.fromEntries(
    Object.entries(mockReadings).map(([gap, all]) => [gap, all[Math.floor(random() * all.length)]]),
  );
  const ref = createReferenceServer({ seed, readings, store: { stores: 12 } });
  const served = await serve(ref);
  const file = join(mkdtempSync(join(tmpdir(), "shelfleet-probe-log-")), "log.ndjson");
  onTestFinished(async () => {
    await served.close();
    rmSync(dirname(file), { recursive: true });
  });
  const log = new LogFile(file);
  const { proxy, origin } = await proxyFor({ storeUrl: served.storeUrl, fleetUrl: served.fleetUrl, log });
  const mount = (name: string): string =>
    origin + (proxy.services.find((target) => target.name === name)?.mount ?? "");
  await probe({
    storeUrl: mount("store"),
    token: ref.token,
    fleetUrl: mount("fleet"),
    key: ref.keys[0]?.key ?? "",
    rate: 1e9,
    maxRequests: 300,
  });
  const { violations: found, exchanges } = await proxy.close();
  await log.end();
  const report = probeTraffic(readTrafficLog(readFileSync(file, "utf8")), {});
  expect(wrong(report, ref.readings)).toEqual([]);
  expect(Object.keys(report.readings).length).toBeGreaterThan(5);
  expect(exchanges).toBeGreaterThan(40);
  expect(found.filter(({ finding }) => finding.side === "response")).toEqual([]);
});

it("a log decides the same readings with and without personal data", async () => {
  const readings = Object.fromEntries(
    Object.entries(mockReadings).map(([gap, all]) => [
      gap,
      all[Math.floor(seeded(gap.length)() * all.length)],
    ]),
  );
  const ref = createReferenceServer({ readings, store: { stores: 12 } });
  const subject = {
    options: {
      storeUrl: ref.storeUrl,
      token: ref.token,
      fleetUrl: ref.fleetUrl,
      key: ref.keys[0]?.key ?? "",
      fetch: (input: Request) => ref.fetch(input),
    },
  };
  const recorder = new Recorder(subject);
  const plain: { method: string; url: string; status: number; contentType: string; body: string }[] = [];
  const fetch = async (input: Request): Promise<Response> => {
    const response = await recorder.fetch(input);
    const body = await response.clone().text();
    const contentType = response.headers.get("content-type") ?? "";
    plain.push({ method: input.method, url: input.url, status: response.status, contentType, body });
    return response;
  };
  await probe({ ...subject.options, fetch, rate: 1e9, maxRequests: 200 });
  const urls = { storeUrl: ref.storeUrl, fleetUrl: ref.fleetUrl };
  const logged = probeTraffic(readTrafficLog(recorder.lines.join("\n")), {});
  expect(logged.readings).toEqual(probeTraffic(plain, urls).readings);
  expect(Object.keys(logged.readings).length).toBeGreaterThan(8);
});

it("examines the service with the given URL, and none if several were recorded", () => {
  const record = (origin: string, nextCursor: string): Recorded => ({
    method: "GET",
    url: `${origin}/v1/stores?limit=1`,
    status: 200,
    contentType: "application/json",
    body: JSON.stringify({ items: [{ externalId: "S-1", storeId: "1" }], nextCursor }),
    place: { api: "store", as: "store", path: "/v1/stores" },
  });
  const records = [record("https://a.test", "S-1"), record("https://b.test", "S-1")];
  expect(() => probeTraffic(records, {})).toThrow("several store services: https://a.test, https://b.test");
  expect(probeTraffic(records, { storeUrl: "https://b.test" }).evidence.length).toBeLessThan(2);
});
