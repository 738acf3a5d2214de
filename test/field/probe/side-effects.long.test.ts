import { describe, expect, it } from "vitest";
import { type CleanupOptions, type LedgerEntry, cleanup } from "../../../src/field/probe/index.ts";
import { noisy } from "./noise.ts";
import { fetchOf, instant, watched, optionsFor, probe } from "./run.ts";
import { ALL_STRANGE } from "./strange-data.ts";
import { type Subject, changes, modelSubject, referenceSubject, seeded } from "./subjects.ts";

const SEEDS = Array.from({ length: 6 }, (_, index) => index + 1);

describe("a probe without the consent to write", () => {
  it.each(["read", "keys"] as const)(
    "sends GETs and changes nothing with the consent %s",
    async (consent) => {
      for (const seed of SEEDS) {
        const subject = modelSubject(seed, 6);
        const before = subject.state();
        const methods = new Set<string>();
        const fetch = watched(subject, ({ method }) => methods.add(method));
        await probe({ ...optionsFor(subject, consent), fetch, maxRequests: 300 });
        expect([...methods]).toEqual(["GET"]);
        expect(subject.writes()).toBe(0);
        expect(changes(before, subject.state())).toEqual([]);
      }
    },
  );

  it("omits invalid and unknown parameters if they are not allowed", async () => {
    const subject = modelSubject(1, 6);
    const urls: string[] = [];
    const fetch = watched(subject, ({ url }) => urls.push(url));
    await probe({ ...optionsFor(subject, "read"), odd: false, maxRequests: 300, fetch });
    expect(urls.filter((url) => /shelfleetProbe|limit=0|cursor=.*shelfleet-probe/.test(url))).toEqual([]);
  });
});

describe("a probe with the consent to write", () => {
  it("restores an existing scratch store and the sandbox", async () => {
    for (const seed of SEEDS) {
      const subject = modelSubject(seed, 6);
      const before = subject.state();
      const report = await probe({ ...optionsFor(subject, "write", "S-002"), maxRequests: 300 });
      expect(report.requests.writes).toBeGreaterThan(0);
      expect(report.leftBehind).toBeUndefined();
      expect(changes(before, subject.state()), `seed ${seed}`).toEqual([]);
    }
  });

  it("keeps the expositions that the list of an existing scratch store leaves out", async () => {
    const readings = { "expositions.disabled": "left-out", "expositions.absent": "delete" };
    const subject = referenceSubject(1, 6, readings);
    const fetch = fetchOf(subject);
    const expositions = ["active", "disabled"].map((status) => ({
      label: status,
      productCategories: ["DRINKS"],
      expositionType: "FRIDGE_DRINKS",
      status,
    }));
    const { storeUrl = "", token = "" } = subject.options;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ expositions });
    await fetch(new Request(`${storeUrl}/v1/stores/S-2/expositions`, { method: "PUT", headers, body }));
    const before = subject.state();
    const report = await probe({
      ...optionsFor(subject, "write", "S-2"),
      only: ["expositions.omitted-title"],
    });
    expect(report.leftBehind).toBeUndefined();
    expect(changes(before, subject.state())).toEqual([]);
  });

  it("names no row that it did not create, whatever number of requests ends it", async () => {
    for (let maxRequests = 4; maxRequests < 40; maxRequests += 1) {
      const options = { ...optionsFor(modelSubject(1, 6), "write"), maxRequests };
      const { leftBehind } = await probe({ ...options, only: ["fleet.repeated-post"] });
      expect(leftBehind, `${maxRequests} requests`).toBeUndefined();
    }
  });

  it("restores both under noise, or reports what it could not restore", async () => {
    for (const seed of SEEDS) {
      const subject = modelSubject(seed, 6);
      const before = subject.state();
      const options = optionsFor(subject, "write", "S-002");
      const fetch = noisy(options.fetch ?? globalThis.fetch, { unavailable: 0.02, reset: 0.03 }, seed);
      const report = await probe({ ...options, fetch, maxRequests: 300 });
      const unreported = report.leftBehind === undefined ? changes(before, subject.state()) : [];
      expect(unreported, `seed ${seed}`).toEqual([]);
    }
  });

  it("changes only the scratch store, and creates it if it may", async () => {
    const subject = modelSubject(3, 6);
    const before = subject.state();
    const report = await probe({ ...optionsFor(subject, "write", "PROBE-SCRATCH"), maxRequests: 300 });
    expect(report.leftBehind).toEqual(['the store "PROBE-SCRATCH", which this run created']);
    const others = (state: string): unknown => {
      const { store } = JSON.parse(state) as {
        store: { stores: { store: { externalId: string | null } }[] };
      };
      return store.stores.filter(({ store: { externalId } }) => externalId !== "PROBE-SCRATCH");
    };
    expect(others(subject.state())).toEqual(others(before));
  });

  it("rejects a scratch store that does not exist, and sends no write", async () => {
    const subject = modelSubject(3, 6);
    const before = subject.state();
    const entries: LedgerEntry[] = [];
    const run = probe({
      ...optionsFor(subject, "write", "PROBE-SCRATCH"),
      createScratchStore: false,
      ledger: { append: (entry) => void entries.push(entry) },
    });
    await expect(run).rejects.toThrow(
      /The scratch store "PROBE-SCRATCH" does not exist: .*createScratchStore/,
    );
    expect(entries).toEqual([]);
    expect(changes(before, subject.state())).toEqual([]);
  });

  describe("does not write to a scratch store that is shown as another one", () => {
    /** Probes a service that shows the store of another ID in the first reads of the scratch store. */
    function probeShown(
      subject: Subject,
      id: string,
      shown: string,
      count: number,
      createScratchStore: boolean,
    ) {
      let reads = 0;
      const fetch: ReturnType<typeof fetchOf> = async (input) => {
        const isChanged = input.url.endsWith(`/stores/${id}`) && reads++ < count;
        return fetchOf(subject)(isChanged ? new Request(input.url.replace(id, shown), input) : input);
      };
      const options = { ...optionsFor(subject, "write", id), createScratchStore, fetch };
      return probe({ ...options, only: ["stores.omitted-fields", "lists.duplicates"] });
    }

    it.each([
      ["a cache that confuses two stores once", "S-002", "S-001", 1],
      ["IDs in any letter case", "s-002", "S-002", Number.POSITIVE_INFINITY],
    ])("by %s", async (_, id, shown, count) => {
      const subject = modelSubject(3, 6);
      const before = subject.state();
      await expect(probeShown(subject, id, shown, count, false)).rejects.toThrow(
        `The scratch store "${id}" is not a store with this external ID: the service shows another one`,
      );
      const { requests, leftBehind } = await probeShown(subject, id, shown, count, true);
      expect(requests.writes > 0).toBe(count === 1);
      expect(leftBehind).toBeUndefined();
      expect(changes(before, subject.state())).toEqual([]);
    });
  });

  it("replaces no list of a scratch store that is shown as that of another one", async () => {
    for (const seed of SEEDS) {
      const subject = modelSubject(seed, 6);
      const before = subject.state();
      const seen = new Set<string>();
      const fetch: ReturnType<typeof fetchOf> = async (input) => {
        const isFirst = /S-002\/(contacts|expectations)$/.test(input.url) && !seen.has(input.url);
        seen.add(input.url);
        return isFirst ? Response.json({ externalId: "S-009", items: [] }) : fetchOf(subject)(input);
      };
      await probe({ ...optionsFor(subject, "write", "S-002"), fetch, maxRequests: 300 });
      expect(changes(before, subject.state()), `seed ${seed}`).toEqual([]);
    }
  });

  it("uses an existing scratch store without createScratchStore", async () => {
    const subject = modelSubject(3, 6);
    const before = subject.state();
    const options = { ...optionsFor(subject, "write", "S-002"), createScratchStore: false };
    const report = await probe({ ...options, maxRequests: 300 });
    expect(report.requests.writes).toBeGreaterThan(10);
    expect(changes(before, subject.state())).toEqual([]);
  });

  it.each(["titles that are not stored", "stores that are found in capitals"])(
    "reports what it could not restore of a service with %s",
    async (name) => {
      for (const seed of SEEDS) {
        const subject = modelSubject(seed, 6, { "stores.body-external-id": "renames" });
        const before = subject.state();
        const options = optionsFor(subject, "write", "S-002");
        const fetch = ALL_STRANGE[name]?.(fetchOf(subject), () => 0);
        const report = await probe({ ...options, ...(fetch && { fetch }), maxRequests: 300 });
        const unreported = report.leftBehind === undefined ? changes(before, subject.state()) : [];
        expect(unreported, `seed ${seed}`).toEqual([]);
      }
    },
  );

  /** Runs a probe whose ledger can store so many entries. */
  async function probeWith(entries: number) {
    const subject = modelSubject(2, 6);
    const before = subject.state();
    let left = entries;
    const append = (): void => {
      left -= 1;
      if (left < 0) throw new Error("ENOSPC: no space left on device");
    };
    const options = { ...optionsFor(subject, "write", "S-002"), maxRequests: 400, ledger: { append } };
    const { partial } = await probe(options);
    return { partial, left, changed: changes(before, subject.state()) };
  }

  it.each([1, 2, 5, 11, 23, 40, 54, 56])(
    "ends and restores both if the ledger is full after %i entries",
    async (entries) => {
      const { partial, left, changed } = await probeWith(entries);
      // the last entries are those of the restoring
      expect(["ledger", "requests"]).toContain(partial);
      expect(left, "entries after one that was not stored").toBe(-1);
      expect(changed).toEqual([]);
    },
  );

  it("does not begin if the ledger cannot be written", async () => {
    await expect(probeWith(0)).rejects.toThrow("The ledger cannot be written: ENOSPC");
  });

  it("notes each write before it is sent", async () => {
    const subject = modelSubject(2, 6);
    const ledgerPaths: string[] = [];
    const unnoted: string[] = [];
    await probe({
      ...optionsFor(subject, "write", "S-002"),
      maxRequests: 300,
      ledger: {
        append: (entry) =>
          void ledgerPaths.push(entry.type === "write" ? `${entry.method} ${entry.path}` : entry.type),
      },
      fetch: watched(subject, ({ method, url }) => {
        const path = new URL(url).pathname.replace("/api/third-party/v1", "");
        const isCleanup = ledgerPaths.includes("undone") || ledgerPaths.length === 0;
        if (method !== "GET" && !isCleanup && ledgerPaths.at(-1) !== `${method} ${path}`) unnoted.push(path);
      }),
    });
    // a request that restores something comes after the entry of the write that it undoes
    expect(unnoted.filter((path) => !ledgerPaths.some((entry) => entry.endsWith(` ${path}`)))).toEqual([]);
  });
});

/** A service that stops responding after some requests, as for a run that is killed. */
function failAfter(fetch: (input: Request) => Promise<Response>, count: number, mode: "before" | "after") {
  let left = count;
  return async (input: Request): Promise<Response> => {
    left -= 1;
    if (left < 0) throw new TypeError("killed");
    const response = await fetch(input);
    if (left === 0 && mode === "after") throw new TypeError("killed");
    return response;
  };
}

function cleanupOptionsOf(subject: Subject): CleanupOptions {
  const { storeUrl = "", token = "", sandboxUrl = "", sandboxKey = "" } = optionsFor(subject, "write");
  return { storeUrl, token, sandboxUrl, sandboxKey, fetch: fetchOf(subject), rate: 1e9, timing: instant };
}

describe("the cleanup of a probe", () => {
  it("undoes what a killed run left, at whatever point it was killed", async () => {
    const random = seeded(7);
    for (const seed of SEEDS) {
      const subject = modelSubject(seed, 6);
      const before = subject.state();
      const entries: LedgerEntry[] = [];
      const options = optionsFor(subject, "write", "S-002");
      const killed = failAfter(
        fetchOf(subject),
        20 + Math.floor(random() * 140),
        seed % 2 === 0 ? "before" : "after",
      );
      const ledger = { append: (entry: LedgerEntry) => void entries.push(structuredClone(entry)) };
      await probe({ ...options, ledger, fetch: killed, maxRequests: 300 });
      const result = await cleanup(entries, cleanupOptionsOf(subject));
      expect(result.remaining).toEqual([]);
      expect(changes(before, subject.state()), `seed ${seed}`).toEqual([]);
    }
  });

  it("changes nothing when it runs again", async () => {
    const subject = modelSubject(5, 6);
    const before = subject.state();
    const entries: LedgerEntry[] = [];
    const options = optionsFor(subject, "write", "S-002");
    const ledger = { append: (entry: LedgerEntry) => void entries.push(entry) };
    await probe({ ...options, ledger, fetch: failAfter(fetchOf(subject), 90, "after"), maxRequests: 300 });
    const credentials = { ...cleanupOptionsOf(subject), ledger };
    await cleanup(entries, credentials);
    const second = await cleanup(entries, credentials);
    expect(second).toEqual({ undone: [], remaining: [] });
    expect(changes(before, subject.state())).toEqual([]);
  });
});
