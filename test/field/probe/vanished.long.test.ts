import { describe, expect, it } from "vitest";
import { experiments } from "../../../src/field/probe/experiments/catalog.ts";
import { storeGaps } from "../../models/readings.ts";
import { fetchOf, optionsFor, probe, watched, wrongIn } from "./run.ts";
import { type Readings, modelSubject } from "./subjects.ts";

const SCRATCH = "PROBE-SCRATCH";

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/gi;

/** Readings under which most experiments of writes find something. */
const USUAL: Readings = {
  "stores.create-requirements": "none-required",
  "stores.omitted-fields": "keep",
  "stores.null-store-type": "accepted",
  "expositions.absent": "keep",
};

const table: Readonly<Record<string, readonly string[]>> = storeGaps;

/** Each reading of each gap whose experiment writes to the scratch store. The bodies of one are large. */
const written = experiments.flatMap(({ gap, consent }) => {
  const readings = consent === "write" && gap !== "limits.body-size" ? (table[gap] ?? []) : [];
  return readings.map((reading) => ({ gap, reading }));
});

describe("a scratch store that another client removes", () => {
  it.each(written)("leads to no wrong reading of $gap if it is $reading", async ({ gap, reading }) => {
    for (let at = 5; at < 10; at += 1) {
      const subject = modelSubject(1, 3, { ...USUAL, [gap]: reading });
      let requests = 0;
      const fetch = watched(subject, ({ url }) => {
        requests += Number(url.includes(SCRATCH));
        if (requests === at && url.includes(SCRATCH)) subject.removeWritten?.(SCRATCH);
      });
      // a second round would see the first one contradicted
      const options = { ...optionsFor(subject, "write", SCRATCH), fetch, only: [gap], maxRequests: 12 };
      expect(wrongIn(await probe(options), subject.truth)).toEqual([]);
    }
  });

  it("is not created again", async () => {
    const subject = modelSubject(1, 3, USUAL);
    let replacements = 0;
    const fetch = watched(subject, ({ method, url }) => {
      replacements += Number(method === "PUT" && url.endsWith("/contacts"));
      if (method === "PUT" && replacements === 2) subject.removeWritten?.(SCRATCH);
    });
    const options = { ...optionsFor(subject, "write", SCRATCH), fetch, maxRequests: 10 };
    const report = await probe({ ...options, only: ["contacts.email-format"] });
    expect(replacements).toBe(2);
    expect(subject.state().includes(SCRATCH)).toBe(false);
    expect(report.leftBehind).toBeUndefined();
  });

  it("makes what was concluded after it was last seen unknown, with the reason", async () => {
    const subject = modelSubject(1, 3, USUAL);
    let updates = 0;
    const fetch = watched(subject, ({ method, url }) => {
      updates += Number(method === "PUT" && url.endsWith(SCRATCH));
      if (method === "PUT" && url.endsWith(SCRATCH) && updates === 3) subject.removeWritten?.(SCRATCH);
    });
    const options = { ...optionsFor(subject, "write", SCRATCH), fetch };
    const report = await probe({ ...options, only: ["stores.omitted-fields"], maxRequests: 12 });
    expect(report.findings.find(({ gap }) => gap === "stores.omitted-fields")).toMatchObject({
      verdict: "unknown",
      reason: expect.stringContaining("The scratch store was removed or replaced during the run.") as unknown,
      needs: "a scratch store that no other client changes",
    });
  });
});

describe("a scratch store that the run creates", () => {
  it("does not hide the order of cursors", async () => {
    const subject = modelSubject(1, 12, { "stores.cursor-start": "after", ...USUAL });
    const options = optionsFor(subject, "write", "S-001-A");
    const only = ["stores.create-requirements", "stores.cursor-start"];
    expect((await probe({ ...options, only })).readings).toMatchObject({ "stores.cursor-start": "after" });
  });

  it("is not examined as one of the stores of the service", async () => {
    const read: string[] = [];
    const subject = modelSubject(1, 3, USUAL);
    const fetch = watched(subject, ({ method, url }) => {
      if (method === "GET") read.push(new URL(url).pathname);
    });
    const only = ["stores.create-requirements", "protocols.id-property", "photos.page-shape"];
    const options = { ...optionsFor(subject, "write", "A-SCRATCH"), fetch, only };
    await probe(options);
    await probe(options);
    expect(read.filter((path) => path.startsWith("/v1/stores/A-SCRATCH/"))).toEqual([]);
    expect(read.some((path) => path.endsWith("/protocols"))).toBe(true);
  });
});

describe("a list whose URLs are signed anew for each response", () => {
  it("counts as the same", async () => {
    const subject = modelSubject(1, 12, { "protocols.id-property": "anonymous" });
    let signature = 0;
    const fetch = async (input: Request): Promise<Response> => {
      const response = await fetchOf(subject)(input);
      if (!response.ok || !input.url.includes("/protocols")) return response;
      signature += 1;
      const { items, ...page } = (await response.json()) as { items: object[] };
      return Response.json({
        ...page,
        items: items.map((one) => ({ ...one, url: `https://x/?${signature}` })),
      });
    };
    const options = { ...optionsFor(subject, "read"), fetch, only: ["protocols.id-property"] };
    expect((await probe(options)).readings).toMatchObject({ "protocols.id-property": "anonymous" });
  });
});

describe("a proxy before the service", () => {
  it("leads to no wrong reading with its own 200", async () => {
    const subject = modelSubject(1, 3, { "stores.omitted-fields": "reject" });
    let isFirst = true;
    const fetch = async (input: Request): Promise<Response> => {
      const isOwn = isFirst && input.url.endsWith(SCRATCH);
      if (isOwn) isFirst = false;
      return isOwn ? Response.json({ success: false, message: "Try later" }) : fetchOf(subject)(input);
    };
    const only = ["stores.body-external-id", "stores.unknown-references", "requests.unlisted-values"];
    const report = await probe({ ...optionsFor(subject, "write", SCRATCH), fetch, only, maxRequests: 14 });
    expect(wrongIn(report, subject.truth)).toEqual([]);
  });

  it("leads to no wrong reading if it changes the case of UUIDs in some responses", async () => {
    const subject = modelSubject(1, 3, USUAL);
    let lists = 0;
    const fetch = async (input: Request): Promise<Response> => {
      const url = input.url.replaceAll(UUID, (id) => id.toLowerCase());
      const response = await fetchOf(subject)(new Request(url, input));
      lists += Number(url.endsWith("/expositions"));
      if (!url.endsWith("/expositions") || lists % 3 !== 0) return response;
      const text = await response.text();
      const capitals = text.replaceAll(UUID, (id) => id.toUpperCase());
      return new Response(capitals, { status: response.status, headers: response.headers });
    };
    const only = ["expositions.disabled", "expositions.absent"];
    const report = await probe({ ...optionsFor(subject, "write", SCRATCH), fetch, only, maxRequests: 13 });
    expect(wrongIn(report, subject.truth)).toEqual([]);
  });
});
