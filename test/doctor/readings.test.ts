import { describe, expect, it } from "vitest";
import { scopes } from "../../generated/fleet.enums.ts";
import { createReferenceServer, type ReferenceServerOptions } from "../../src/mock/index.ts";
import { findAllWrong } from "./random-service.ts";
import { differencesOf, examine, run, urls } from "./run.ts";

/** Services with the readings that doctor can see, and the options of the clients that they need. */
const services = [
  {
    readings: {
      "photos.page-shape": "items-nextCursor",
      "protocols.next-page": "cursor",
      "stores.cursor-start": "after",
      "templates.title-filter": "search",
      "templates.group-filter": "vehicleGroupId",
      "lists.undocumented": "paged",
    },
    options: [] as string[],
  },
  {
    readings: {
      "photos.page-shape": "photos-nextCursor",
      "protocols.next-page": "ignored",
      "stores.cursor-start": "at",
      "templates.title-filter": "title",
      "templates.get-one": "absent",
      "lists.undocumented": "whole",
    },
    options: [
      'photoPage: { items: "photos", cursor: "nextCursor" }',
      'protocolPages: "window"',
      "wholeLists: true",
      'templateFilters: { title: "title" }',
    ],
  },
  {
    readings: {
      "photos.page-shape": "data-cursor",
      "protocols.next-page": "ignored-new-cursor",
      "templates.group-filter": "groupId",
    },
    options: [
      'photoPage: { items: "data", cursor: "cursor" }',
      'protocolPages: "window"',
      'templateFilters: { group: "groupId" }',
    ],
  },
  {
    readings: {
      "protocols.next-page": "rejected",
      "templates.title-filter": "title",
      "templates.group-filter": "vehicleGroup",
    },
    options: ['protocolPages: "window"', 'templateFilters: { title: "title", group: "vehicleGroup" }'],
  },
] satisfies { readings: ReferenceServerOptions["readings"]; options: string[] }[];

describe("doctor", () => {
  it.each(services)("sees $readings, and the options for the clients", async ({ readings, options }) => {
    const result = await examine(createReferenceServer({ ...urls, readings }));
    const shown = Object.values(result.options).flatMap((all) => Object.entries(all));
    expect(result.readings).toMatchObject(readings);
    expect(shown.map(([name, code]) => `${name}: ${code}`).toSorted()).toEqual(options.toSorted());
    expect(differencesOf(result)).toEqual([]);
    expect(result.exitCode).toBe(0);
  });

  it("names the scope that a key lacks, and does not take a disputed scope for a difference", async () => {
    const ref = createReferenceServer({ ...urls, readings: { "scopes.list-templates": "prose" } });
    const key = `narrow_${"0".repeat(64)}`;
    const others = scopes.filter((one) => !one.startsWith("inspection"));
    ref.credentials.addKey({ key, scopes: [...others, "inspection-templates:read"] });
    const result = await examine(ref, { key });
    expect(result.findings.map(({ text }) => text)).toContain("403: the key lacks inspections:read");
    expect(result.exitCode).toBe(0);
  });

  it("fails if the key may read no list, and says so", async () => {
    const ref = createReferenceServer(urls);
    const { key } = ref.credentials.addKey({ scopes: ["damages:write"] });
    const env = { SHELFLEET_FLEET_URL: ref.fleetUrl, SHELFLEET_KEY: key };
    const { exitCode, stdout } = await run([], ref.fetch, env);
    expect(stdout).toMatch(/^FAIL fleet: the key is valid, but may not read \/vehicles$/m);
    expect(exitCode).toBe(2);
  });

  it.each([
    [150, "null", "page 2 follows page 1, the last cursor is null; the client's defaults read it whole"],
    [150, '""', "the last cursor is empty, not null"],
    [250, "null", "page 2 follows page 1, the end of the list was not read"],
  ])("sees the end of a list of %i stores whose last cursor is %s", async (stores, last, expected) => {
    const ref = createReferenceServer({ ...urls, store: { stores } });
    const fetch: typeof ref.fetch = async (input, init) => {
      const response = await ref.fetch(input, init);
      return new Response(
        (await response.text()).replace('"nextCursor":null', `"nextCursor":${last}`),
        response,
      );
    };
    const { findings } = await examine(ref, { fetch });
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "pages of /v1/stores", text: expected }),
    );
  });

  it("reads ten years if the last 30 days have no protocol", async () => {
    const protocol = {
      protocolId: "P-1",
      createdAt: new Date(Date.now() - 9 * 365 * 86_400_000).toISOString(),
    };
    const ref = createReferenceServer({ ...urls, now: "system", store: { stores: 3, protocolsPerStore: 0 } });
    for (const id of ref.state.store.stores.keys()) ref.state.store.protocols.set(id, [protocol as never]);
    const { findings } = await examine(ref);
    const check = "GET /v1/stores/{externalId}/protocols";
    expect(findings.find((row) => row.check === check)?.text).toBe("as documented (1 entries)");
  });

  it("compares each number of a page with the page that was asked for", async () => {
    const ref = createReferenceServer(urls);
    const fetch: typeof ref.fetch = async (input, init) => {
      const response = await ref.fetch(input, init);
      const text = await response.text();
      return new Response(text.replace('"hasPreviousPage":true', '"hasPreviousPage":false'), response);
    };
    expect(differencesOf(await examine(ref, { fetch }))).toContain(
      "pages of /vehicles: hasPreviousPage is wrong",
    );
  });

  it("names no wrong reading in random services with other writers and faults", async () => {
    expect((await findAllWrong([901, 902, 903, 904])).wrong).toEqual([]);
  });
});
