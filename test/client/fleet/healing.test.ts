import { describe, expect, it } from "vitest";
import { type Drift, FleetClient, logTo } from "../../../src/client/fleet/index.ts";
import { json, type Responder, type SentRequest, stubFetch } from "../core/stub-fetch.ts";
import { baseUrl, key, pageOf, rejection, requestedPage } from "./stub-client.ts";

interface Row {
  id: string;
}

const nine = Array.from("abcdefghi");

const rowsOf = (ids: string): Row[] => Array.from(ids, (id) => ({ id }));

/** A service whose rows change before a request, and its client. Each page has `limit` rows. */
function service(
  ids: string,
  {
    before,
    answer,
  }: { before?: (rows: Row[], request: number) => void; answer?: (page: Page, request: number) => object },
) {
  const rows = rowsOf(ids);
  let requests = 0;
  const respond: Responder = (sent: SentRequest) => {
    requests += 1;
    before?.(rows, requests);
    const page = pageOf(rows, requestedPage(sent), Number(sent.query.limit ?? 50)) as Page;
    return json(answer?.(page, requests) ?? page);
  };
  const { fetch, sent } = stubFetch(respond);
  const drifts: Drift[] = [];
  const warnings: string[] = [];
  const log = { debug() {}, info() {}, warn: (line: string) => void warnings.push(line), error() {} };
  const hooks = { onDrift: ({ drift }: { drift: Drift }) => void drifts.push(drift) };
  const client = new FleetClient({
    baseUrl,
    key,
    fetch,
    hooks,
    log: logTo(log),
    readings: { "lists.undocumented": "whole" },
  });
  return { client, sent, rows, drifts, warnings };
}

interface Page {
  data: Row[];
  meta: { pagination: Record<string, unknown> };
}

const once =
  (at: number, change: (rows: Row[]) => void) =>
  (rows: Row[], request: number): void => {
    if (request === at) change(rows);
  };
const move = (rows: Row[], id: string, to: number): void => {
  const [row] = rows.splice(
    rows.findIndex((one) => one.id === id),
    1,
  );
  rows.splice(to, 0, row as Row);
};
const patch =
  (at: number, change: (page: Page) => object) =>
  (page: Page, request: number): object =>
    request === at ? change(page) : page;
const withPagination = (page: Page, changes: object): object => ({
  ...page,
  meta: { ...page.meta, pagination: { ...page.meta.pagination, ...changes } },
});

type Options = Parameters<typeof service>[1];

/** Changes after which a pass can lack an item: the list is read again. */
const harmful: [string, Options][] = [
  ["an item that was read is deleted", { before: once(2, (rows) => rows.splice(0, 1)) }],
  ["an item moves from a later page to the front", { before: once(2, (rows) => move(rows, "h", 0)) }],
  ["an item moves from the first page to the end", { before: once(2, (rows) => move(rows, "a", 8)) }],
  ["two items change their places", { before: once(3, (rows) => (move(rows, "h", 0), move(rows, "a", 8))) }],
  [
    "the rows are sorted the other way",
    { before: once(2, (rows) => rows.splice(0, 9, ...rows.toReversed())) },
  ],
  ["a page is short in the middle", { answer: patch(2, (page) => ({ ...page, data: page.data.slice(1) })) }],
  ["the first page is short", { answer: patch(1, (page) => ({ ...page, data: page.data.slice(1) })) }],
  ["a page is empty in the middle", { answer: patch(2, (page) => ({ ...page, data: [] })) }],
  [
    "hasNextPage is false on page 1 of 3",
    { answer: patch(1, (page) => withPagination(page, { hasNextPage: false })) },
  ],
  [
    "hasNextPage is true on the last page",
    { answer: patch(3, (page) => withPagination(page, { hasNextPage: true })) },
  ],
  [
    "hasPreviousPage is false on page 2",
    { answer: patch(2, (page) => withPagination(page, { hasPreviousPage: false })) },
  ],
  [
    "an item occurs twice on one page",
    { answer: patch(2, (page) => ({ ...page, data: [page.data[0], ...page.data.slice(0, 2)] })) },
  ],
  [
    "the last page lacks an item of the total",
    { answer: patch(3, (page) => ({ ...page, data: page.data.slice(1) })) },
  ],
  [
    "totalPages falls with the same totalCount",
    { answer: patch(2, (page) => withPagination(page, { totalPages: 2, hasNextPage: false })) },
  ],
  [
    "a page is missing",
    { answer: (page, request) => (request === 3 ? withPagination(page, { currentPage: 2 }) : page) },
  ],
];

const walks = {
  "for await": async (client: FleetClient, query: object) => {
    const items: string[] = [];
    for await (const { id } of client.vehicles.list({ limit: 3, ...query })) items.push(String(id));
    return items;
  },
  "items(), 3 pages at a time": async (client: FleetClient, query: object) => {
    const items: string[] = [];
    for await (const { id } of client.vehicles.list({ limit: 3, ...query }).items({ concurrency: 3 }))
      items.push(String(id));
    return items;
  },
  "toArray()": async (client: FleetClient, query: object) =>
    (await client.vehicles.list({ limit: 3, ...query }).toArray()).map(({ id }) => String(id)),
  "pages(), resumed after each page": async (client: FleetClient, query: object) => {
    const items: string[] = [];
    let resume: string | null | undefined;
    while (resume !== null) {
      for await (const page of client.vehicles
        .list({ limit: 3, onDrift: "heal", ...query, resume })
        .pages({ concurrency: 2 })) {
        items.push(...page.items.map(({ id }) => String(id)));
        resume = page.resume;
        break;
      }
    }
    return items;
  },
};

const withoutFirst = (page: Page): object => ({ ...page, data: page.data.slice(1) });

it("the error after five passes says how many items were delivered", async () => {
  const { client } = service("abcdefghi", { answer: withoutFirst });
  expect(await rejection(client.vehicles.list({ limit: 3 }).toArray())).toMatchObject({
    reason: "the list changed during each of 5 passes; 6 items were delivered",
  });
});

describe.each(Object.entries(walks))("a numbered list read with %s", (_name, walk) => {
  it.each(harmful)("is read again, and each item is delivered once, if %s", async (_, options) => {
    const { client, rows, drifts, warnings, sent } = service("abcdefghi", options);
    const items = await walk(client, {});
    expect(new Set(items).size).toBe(items.length);
    expect(items).toEqual(expect.arrayContaining(rows.map(({ id }) => id)));
    expect(sent.length).toBeGreaterThan(3);
    expect(warnings).toHaveLength(drifts.length);
  });

  it.each([
    ["at the front", 0],
    ["at the end", 99],
  ])("delivers each item once if items are created %s", async (_, to) => {
    let next = 0;
    const before = (rows: Row[], request: number): void => {
      if (request > 1 && request < 6) rows.splice(to, 0, { id: `new-${(next += 1)}` });
    };
    const { client } = service("abcdefghi", { before });
    const items = await walk(client, {});
    expect(new Set(items).size).toBe(items.length);
    expect(items).toEqual(expect.arrayContaining(nine));
  });

  it("ends in an error if every pass has a change", async () => {
    const { client } = service("abcdefghi", { answer: withoutFirst });
    expect(await rejection(walk(client, {}))).toMatchObject({ name: "PaginationError" });
  });

  it("ends in an error under onDrift: throw", async () => {
    const { client } = service("abcdefghi", harmful[0]?.[1] as Options);
    expect(await rejection(walk(client, { onDrift: "throw" }))).toMatchObject({ name: "PaginationError" });
  });

  it("ends in an error if the items have no ID", async () => {
    const { client } = service("abcdefghi", {
      before: once(2, (rows) => rows.splice(0, 1)),
      answer: (page) => ({ ...page, data: page.data.map(({ id }) => ({ plate: id })) }),
    });
    expect(await rejection(walk(client, {}))).toMatchObject({
      reason: expect.stringContaining("items without ID") as string,
    });
  });
});

describe("a list that only grows", () => {
  it.each([1, 2, 3, 4])("is read in one pass, %i new items before each page", async (count) => {
    let next = 0;
    const before = (rows: Row[], request: number): void => {
      if (request < 2 || request > 4) return;
      for (let index = 0; index < count; index += 1) rows.unshift({ id: `new-${(next += 1)}` });
    };
    const { client, sent } = service("abcdefghi", { before });
    const items = await client.vehicles.list({ limit: 3 }).toArray();
    expect(items.filter(({ id }) => !String(id).startsWith("new"))).toHaveLength(9);
    expect(sent.map(requestedPage)).toEqual([...sent.keys()].map((index) => index + 1));
  });

  it("is read again if several pages were in flight", async () => {
    const { client, sent } = service("abcdefghi", { before: once(3, (rows) => rows.unshift({ id: "new" })) });
    const items: unknown[] = [];
    for await (const { id } of client.vehicles.list({ limit: 3 }).items({ concurrency: 3 })) items.push(id);
    expect(items).toHaveLength(10);
    expect(items).toEqual(expect.arrayContaining([...nine, "new"]));
    expect(sent.filter((request) => requestedPage(request) === 1)).toHaveLength(2);
  });
});

describe("pages()", () => {
  it.each(harmful.slice(0, -1))("reports a change, also after a resume, if %s", async (_, options) => {
    for (const pieces of [1, Infinity]) {
      const { client, drifts } = service("abcdefghi", options);
      const reported: Drift[] = [];
      let resume: string | null | undefined;
      let pages = 0;
      while (resume !== null) {
        let inPiece = 0;
        for await (const page of client.vehicles.list({ limit: 3, resume }).pages()) {
          reported.push(...page.drift);
          resume = page.resume;
          pages += 1;
          inPiece += 1;
          if (inPiece === pieces) break;
        }
      }
      expect(reported.length).toBeGreaterThan(0);
      expect(drifts).toEqual(reported);
      expect(pages).toBeGreaterThanOrEqual(2);
    }
  });

  it("has a `resume` of null on the last page only, several pages at a time", async () => {
    const { client } = service("abcdefghi", { before: once(3, (rows) => rows.splice(0, 4)) });
    const tokens: (string | null)[] = [];
    for await (const { resume } of client.vehicles.list({ limit: 3 }).pages({ concurrency: 3 }))
      tokens.push(resume);
    expect(tokens.indexOf(null)).toBe(tokens.length - 1);
  });
});

describe("verify: true", () => {
  const unverifiable: [string, Options][] = [
    ["9 of 10 items", { answer: (page) => withPagination(page, { totalCount: 10 }) }],
    [
      "an unstable order",
      { before: (rows, request) => void (request % 2 === 0 && move(rows, String(rows[8]?.id), 0)) },
    ],
  ];

  it.each(unverifiable)("does not accept %s", async (_, options) => {
    const { client } = service("abcdefghi", options);
    expect(await rejection(client.vehicles.list({ limit: 3, verify: true }).toArray())).toMatchObject({
      name: "PaginationError",
      reason: "the list changed during 5 passes (`verify`)",
    });
  });

  it("delivers an item that has moved before the page of the resume token", async () => {
    const { client, rows } = service("abcdefghi", {});
    const { items, resume } = await client.vehicles.list({ limit: 3, verify: true });
    move(rows, "h", 0);
    const rest = await client.vehicles.list({ limit: 3, verify: true, resume: String(resume) }).toArray();
    expect(new Set([...items, ...rest].map(({ id }) => id))).toEqual(new Set(nine));
  });
});

describe("a resume token of a list with one reaction to changes", () => {
  const reactions = [
    { onDrift: "report" },
    { onDrift: "heal" },
    { onDrift: "throw" },
    { verify: true },
  ] as const;
  const pairs = reactions.flatMap((first) => reactions.map((second) => [first, second] as const));

  it.each(pairs)("repeats no item if it continues with another one (%j, %j)", async (first, second) => {
    const { client } = service("abcdefghi", {});
    const { items, resume } = await client.vehicles.list({ limit: 3, ...first });
    const rest = await client.vehicles.list({ limit: 3, ...second, resume: String(resume) }).toArray();
    expect([...items, ...rest].map(({ id }) => id)).toEqual(nine);
  });

  it.each(reactions)("repeats no item if it is that of a further pass (%j)", async (second) => {
    const { client } = service("abcdefghi", { before: once(2, (rows) => move(rows, "a", 8)) });
    const ids: unknown[] = [];
    let resume: string | null = "";
    for await (const page of client.vehicles.list({ limit: 3, onDrift: "heal" }).pages()) {
      ids.push(...page.items.map(({ id }) => id));
      resume = page.resume;
      if (ids.length > 7) break;
    }
    const rest = await client.vehicles.list({ limit: 3, ...second, resume: String(resume) }).toArray();
    expect([...ids, ...rest.map(({ id }) => id)].map(String).toSorted()).toEqual(nine);
  });
});

describe("a list without pagination", () => {
  it.each([
    [50, {}],
    [7, { limit: 7 }],
  ])("is not known to be whole with %i items, which is the page size", async (count, query) => {
    const answer = ({ data }: Page): object => ({ data, meta: {} });
    const { client } = service("", {
      before: (rows) =>
        void ((rows.length = 0), rows.push(...Array.from({ length: count }, (_, at) => ({ id: `v-${at}` })))),
      answer,
    });
    expect(await rejection(client.vehicles.list(query))).toMatchObject({ name: "PaginationError" });
    expect(await client.vehicles.list({ limit: 60 }).toArray()).toHaveLength(count);
  });
});

it("a resume token of several pages in flight does not contain the later ones", async () => {
  const { client } = service("abcdefghi", {});
  for await (const page of client.vehicles.list({ limit: 2, onDrift: "heal" }).pages({ concurrency: 4 })) {
    await new Promise((resolve) => setTimeout(resolve, 2)); // the other pages arrive
    const rest = await client.vehicles.list({ limit: 2, resume: String(page.resume) }).toArray();
    expect(rest.map(({ id }) => id).join("")).toBe("cdefghi");
    break;
  }
});
