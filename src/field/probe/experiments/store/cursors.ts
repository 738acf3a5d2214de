import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { Query } from "../../../sender/sender.ts";
import { STORES } from "../../../routes.ts";
import { idsOf, storePage } from "./data.ts";

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
  const isId = (place: number): boolean => typeof known[place] === "string";
  const indexes = known.flatMap((_, place) => (place > 0 && isId(place) && isId(place - 1) ? [place] : []));
  // the scratch store, which the list may not have yet, can be the first one
  const start = tools.scratch?.isNew === true ? 2 : 1;
  const index = indexes.find((place) => place >= start) ?? indexes[0];
  if (index === undefined) throw new Missing("two stores with external IDs, one after the other");
  const limit = String(index);
  const page = await storeOf(tools).get(STORES, { limit });
  const cursor = bodyOf(page).nextCursor;
  const last = rowsOf(page).at(-1)?.externalId;
  if (typeof cursor !== "string" || typeof last !== "string") throw new Missing("a page with a cursor");
  const following = await read(STORES, { limit, cursor });
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
  const index = first === undefined ? -1 : known.indexOf(first);
  const [before, next] = [known[index - 1], known[index]];
  if (index < 1 || before === undefined || next === undefined) return false;
  const byCodeUnits = before < cursor && cursor < next;
  return byCodeUnits || (collator.compare(before, cursor) < 0 && collator.compare(cursor, next) < 0);
}

const MIN_ORDERED = 6;

/** Whether IDs rise, by their code units or as words. */
function isSorted(ids: readonly string[]): boolean {
  const pairs = ids.slice(1).map((id, index) => [ids[index] ?? id, id] as const);
  return pairs.every(([a, b]) => a < b) || pairs.every(([a, b]) => collator.compare(a, b) < 0);
}

export const unknownCursor = experiment({
  gap: "stores.unknown-cursor",
  cost: 2,
  chance: 0.7,
  needs: "three stores",
  assumes: "No other store has the invented external ID, and every unknown cursor gets the same response.",
  observe: async function* observe(tools) {
    const known = idsOf(await storePage(tools));
    if (known.length < 3) throw new Missing("three stores");
    const { following: positive } = await twoPages(tools, (path, query) => storeOf(tools).get(path, query));
    for (const before of known.slice(0, 2)) {
      const cursor = `${before}-${tools.marker}-${tools.round}`;
      const page = await tools.ask(storeOf(tools), STORES, { limit: "5", cursor });
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

/** A page whose limit would end it with a store without an external ID. */
interface NullCursor {
  /** Whether the page also has the stores without an ID that follow, and ends the list. */
  readonly isLast: boolean;
  readonly cursor: unknown;
  readonly lastId: string | undefined;
}

export const nullCursor = experiment<"stores.null-cursor", NullCursor>({
  gap: "stores.null-cursor",
  cost: 2,
  after: ["stores.null-external-id", "stores.cursor-start"],
  needs: "a store without external ID that follows one with an ID, and is not the last of the list",
  assumes: "The list has the same order in two requests.",
  observe: async function* observe(tools) {
    const all = rowsOf(await storePage(tools)).map(({ externalId }) => externalId);
    const index = all.indexOf(null);
    if (index < 0) throw new Missing("a store without external ID on the first page");
    // otherwise the cursor is the ID of the next page's first store under every reading
    if (tools.premise("stores.cursor-start") !== "after")
      throw new Missing("cursors that are the last ID of their page");
    const short = await storeOf(tools).get(STORES, { limit: "1" });
    for (const limit of new Set([index + 1, all.lastIndexOf(null) + 1])) {
      if (limit >= all.length) continue;
      const page = await tools.ask(storeOf(tools), STORES, { limit: String(limit) });
      const ids = rowsOf(page).map(({ externalId }) => externalId);
      const lastId = idsOf(page).at(-1);
      const cursor = bodyOf(page).nextCursor;
      const isLast = ids.length > limit && ids.slice(limit).every((id) => id === null) && cursor === null;
      // a page without any ID cannot have one as its cursor
      if (lastId === undefined || (!isLast && (ids.length !== limit || ids.at(-1) !== null))) continue;
      const reason = isLast
        ? `A page with the limit ${limit} has all ${ids.length} stores, of which the last have no external ID.`
        : `A page that ends with a store without external ID has the cursor ${JSON.stringify(cursor)}.`;
      const isStart = control(
        "the page begins the whole list",
        String(ids) === String(all.slice(0, ids.length)),
      );
      const isLimited = control("a page with the limit 1 has one store", rowsOf(short).length === 1, short);
      const controls = isLast ? ([isStart, isLimited] as const) : ([isStart] as const);
      yield observation(`${limit} ${tools.round}`, { isLast, cursor, lastId }, reason, controls, page);
    }
  },
  readings: {
    "last-page": { isLast: true },
    "last-not-null": ({ isLast, cursor, lastId }) => !isLast && cursor === lastId,
    "null-early": { isLast: false, cursor: null },
  },
});
