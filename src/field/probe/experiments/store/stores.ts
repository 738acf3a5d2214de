import { pathSegment } from "../../../../wire/path-segment.ts";
import { control, hasStatus, isAnswer, isShown, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, storeOf, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { Query } from "../../../sender/sender.ts";
import { externalIds, fillRates, firstStore, getInRange, idsOf, storePage, storePath } from "./data.ts";

/** Two pages that follow each other. */
interface Pages {
  readonly limit: string;
  readonly page: Exchange;
  readonly cursor: string;
  readonly last: string;
  readonly following: Exchange;
}

type Read = (path: string, query: Query) => Promise<Exchange>;

/** Reads a short page that ends with an external ID, and the page of its cursor. @throws {Missing} */
async function twoPages(tools: ExperimentTools, read: Read): Promise<Pages> {
  const known = rowsOf(await storePage(tools)).map(({ externalId }) => externalId);
  // stores without an external ID have a separate gap: stores.null-cursor
  const isId = (index: number): boolean => typeof known[index] === "string";
  const at = known.findIndex((_, index) => index > 0 && isId(index) && isId(index - 1));
  if (at < 0) throw new Missing("two stores with external IDs, one after the other");
  const limit = String(at);
  const page = await storeOf(tools).get("/v1/stores", { limit });
  const cursor = bodyOf(page).nextCursor;
  const last = rowsOf(page).at(-1)?.externalId;
  if (typeof cursor !== "string" || typeof last !== "string") throw new Missing("a page with a cursor");
  const following = await read("/v1/stores", { limit, cursor });
  return { limit, page, cursor, last, following };
}

export const cursorStart = experiment({
  gap: "stores.cursor-start",
  cost: 1.5,
  needs: "three stores",
  assumes: "No store was created between two pages that follow each other.",
  observe: async function* observe(tools) {
    const { page, cursor, last, following } = await twoPages(tools, (path, query) =>
      tools.ask(storeOf(tools), path, query),
    );
    const [next] = idsOf(following);
    const reason = `A page that ends with "${last}" has the cursor "${cursor}", and the next page begins with "${next}".`;
    const follow = (whole: Exchange): boolean => {
      const ids = idsOf(whole);
      return ids.includes(last) && ids[ids.indexOf(last) + 1] === next;
    };
    // the scratch store may have been created since the list was read
    const areNext = follow(await storePage(tools)) || follow(await storePage(tools, { fresh: true }));
    const isNext = control("the two pages follow each other in the whole list", areNext);
    const controls = [succeeds(following), isNext] as const;
    yield observation("stores", { cursor, last, next: String(next) }, reason, controls, page, following);
  },
  readings: {
    after: ({ cursor, last, next }) => cursor === last && next !== last,
    at: ({ cursor, last, next }) => cursor !== last && cursor === next,
  },
});

interface UnknownCursor {
  readonly status: number;
  readonly isNextGreater: boolean;
  readonly isEmpty: boolean;
}

const collator = new Intl.Collator("en");

/** Whether a page begins at the position of an ID that does not exist. */
function beginsAfter(known: readonly string[], cursor: string, first: string | undefined): boolean {
  const at = first === undefined ? -1 : known.indexOf(first);
  const [before, next] = [known[at - 1], known[at]];
  if (at < 1 || before === undefined || next === undefined) return false;
  const byCodeUnits = before < cursor && cursor < next;
  return byCodeUnits || (collator.compare(before, cursor) < 0 && collator.compare(cursor, next) < 0);
}

const MIN_ORDERED = 6;

/** Whether IDs rise, by their code units or as words. */
function isSorted(ids: readonly string[]): boolean {
  const pairs = ids.slice(1).map((id, at) => [ids[at] ?? id, id] as const);
  return (
    pairs.every(([one, other]) => one < other) ||
    pairs.every(([one, other]) => collator.compare(one, other) < 0)
  );
}

export const unknownCursor = experiment({
  gap: "stores.unknown-cursor",
  cost: 2.5,
  chance: 0.7,
  needs: "three stores",
  assumes: "No other store has the invented external ID.",
  observe: async function* observe(tools) {
    const known = idsOf(await storePage(tools));
    if (known.length < 3) throw new Missing("three stores");
    const { following: positive } = await twoPages(tools, (path, query) => storeOf(tools).get(path, query));
    for (const before of known.slice(0, 2)) {
      const cursor = `${before}-${tools.marker}-${tools.round}`;
      const page = await tools.ask(storeOf(tools), "/v1/stores", { limit: "5", cursor });
      const observed: UnknownCursor = {
        status: page.status,
        isNextGreater: isOk(page) && beginsAfter(known, cursor, idsOf(page)[0]),
        isEmpty: isOk(page) && rowsOf(page).length === 0 && bodyOf(page).nextCursor === null,
      };
      const reason = `A cursor that no store has got status ${page.status} and ${rowsOf(page).length} stores.`;
      // in a list of another order there is no next greater ID; a few IDs may be in order by chance
      const isOrdered = control(
        `the list has ${MIN_ORDERED} stores in the order of their IDs`,
        !observed.isEmpty || (known.length >= MIN_ORDERED && isSorted(known)),
      );
      const hasRows = control(
        "a cursor of a page leads to stores",
        isOk(positive) && rowsOf(positive).length > 0,
      );
      yield observation(before, observed, reason, [hasRows, isOrdered, isAnswer(page)], positive, page);
    }
  },
  readings: {
    "next-greater": { isNextGreater: true },
    reject: { status: 400 },
    empty: { isEmpty: true },
  },
});

/** The number of pages that are read to find a store without an external ID. */
const MAX_PAGES = 3;

export const nullExternalId = experiment({
  gap: "stores.null-external-id",
  cost: 3,
  needs: "a store without external ID",
  assumes: "A store whose externalId is null has no external ID.",
  examine: (exchange) => {
    if (exchange.operation !== "listStores" || !isOk(exchange)) return undefined;
    if (!rowsOf(exchange).some(({ externalId }) => externalId === null)) return undefined;
    const reason = "The list holds a store whose externalId is null.";
    return observation("stores", true, reason, [isShown(exchange)], exchange);
  },
  observe: async function* observe(tools) {
    let page = await storePage(tools);
    yield undefined;
    for (let pages = 1; pages < MAX_PAGES; pages += 1) {
      const cursor = bodyOf(page).nextCursor;
      if (typeof cursor !== "string")
        throw new Missing("a store without external ID; the whole list shows none");
      page = await storeOf(tools).get("/v1/stores", { limit: "100", cursor });
      yield undefined;
    }
    // stores without an ID are usually last
    await storeOf(tools).get("/v1/stores", { limit: "100", cursor: "~~~~~~~~" });
    yield undefined;
    throw new Missing(`a store without external ID; ${MAX_PAGES} pages and the end of the list show none`);
  },
  readings: { "never-listed": false, listed: true },
});

const PARAMETER = { shelfleetProbe: "1" } as const;

export const unknownProperties = experiment({
  gap: "requests.unknown-properties",
  cost: 1,
  needs: "the list of stores",
  assumes: "The service treats every parameter and property that it does not know in the same way.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    const page = await storePage(tools);
    const list = await tools.ask(store, "/v1/stores", { ...page.query, ...PARAMETER });
    const reason = `A query parameter that is not in the contract got status ${list.status}.`;
    yield observation("stores", list.status, reason, [succeeds(page), isAnswer(list)], page, list);
    const base = await fillRates(tools);
    const rates = await tools.ask(store, "/v1/fill-rate", { ...base.query, ...PARAMETER });
    const other = `GET /v1/fill-rate responded to it with status ${rates.status}.`;
    yield observation("fill rates", rates.status, other, [succeeds(base), isAnswer(rates)], base, rates);
  },
  readings: { ignored: 200, rejected: 400 },
});

export const checkOrder = experiment({
  gap: "requests.check-order",
  cost: 2.5,
  needs: "a store",
  assumes: "The service checks all operations below a store in the same order.",
  observe: async function* observe(tools) {
    const store = storeOf(tools);
    const id = await firstStore(tools);
    for (const list of ["protocols", "photos"] as const) {
      const valid = await getInRange(tools, list, storePath(id, list), {
        limit: list === "photos" ? "500" : "100",
      });
      const invalid = await store.get(storePath(id, list));
      const unknown = await store.get(storePath(tools.marker, list), valid.query);
      const both = await tools.ask(store, storePath(tools.marker, list));
      const reason = `The ${list} of an unknown store without from and to: status ${both.status}.`;
      const controls = [
        succeeds(valid),
        hasStatus(invalid, 400),
        hasStatus(unknown, 404),
        isAnswer(both),
      ] as const;
      yield observation(list, both.status, reason, controls, invalid, unknown, both);
    }
  },
  readings: { "not-found-first": 404, "invalid-first": 400 },
});

export const externalIdCharacters = experiment({
  gap: "stores.external-id-characters",
  cost: 1,
  needs: "a store whose external ID needs percent-encoding",
  assumes: "A store that is listed before and after can be read if its ID is understood.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const all = await externalIds(tools);
    const plain = all.find((id) => pathSegment(id) === id);
    const odd = all.filter((id) => id.isWellFormed() && pathSegment(id) !== id);
    if (odd.length === 0) throw new Missing("a store whose external ID needs percent-encoding");
    for (const id of unseenFirst(tools, odd).slice(0, 2)) {
      const exchange = await tools.ask(storeOf(tools), storePath(id));
      const isSame = isOk(exchange) && bodyOf(exchange).externalId === id;
      const after = isSame
        ? all
        : idsOf(await storeOf(tools).get("/v1/stores", { limit: "100" }, { fresh: true }));
      const other = plain === undefined ? exchange : await storeOf(tools).get(storePath(plain));
      const reason = `The store "${id}" was ${isSame ? "read" : "not read"} under its encoded ID.`;
      const isListed = control("the store is still listed", after.includes(id));
      const isRead = control(
        "a store with another ID can be read",
        isSame || (plain !== undefined && isOk(other)),
      );
      yield observation(id, isSame, reason, [isListed, isRead, isAnswer(exchange)], exchange);
    }
  },
  readings: { any: true, plain: false },
});

export const nullableProperties = experiment({
  gap: "responses.nullable-properties",
  cost: 1,
  needs: "contacts, expectations or expositions of which one has no value",
  assumes: "Two lists show how the service returns all nullable properties.",
  everyEntity: true,
  examine: (exchange) => {
    const property = NULLABLE[exchange.operation ?? ""];
    if (property === undefined || !isOk(exchange)) return undefined;
    const rows = rowsOf(exchange);
    const nulls = rows.filter((row) => row[property] === null).length;
    const missing = rows.filter((row) => row[property] === undefined).length;
    if (nulls + missing === 0) return undefined;
    const reason = `${property} is null in ${nulls} and missing in ${missing} of ${rows.length} rows.`;
    return observation(exchange.path, { nulls, missing }, reason, [isShown(exchange)], exchange);
  },
  observe: async function* observe(tools) {
    await firstStore(tools);
    for (const id of (await externalIds(tools)).slice(0, 4)) {
      for (const list of ["expositions", "contacts", "expectations"]) {
        await storeOf(tools).get(storePath(id, list));
        yield undefined;
      }
    }
  },
  readings: {
    present: ({ nulls, missing }) => nulls > 0 && missing === 0,
    absent: ({ nulls, missing }) => missing > 0 && nulls === 0,
  },
});

const NULLABLE: Readonly<Record<string, string>> = {
  getContacts: "email",
  putContacts: "email",
  getExpectations: "productCategory",
  putExpectations: "productCategory",
  getExpositions: "friendlyTitle",
  putExpositions: "friendlyTitle",
};
