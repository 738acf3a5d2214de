import { type Fault, breakPages, changeBody, otherWriter, second } from "../faults.ts";
import type { ScenarioRows } from "../model.ts";
import { type JsonObject, objectOf, objectsIn } from "../../../wire/json.ts";
import { copyDamages, copyPhotos, copyProtocols, copyStores, copyVehicles } from "../tasks/copies.ts";

const CURSORS = [copyStores, copyProtocols, copyPhotos];
const NUMBERS = [copyVehicles, copyDamages];

/** Changes `meta.pagination` of a page. */
function changePagination(apply: (pagination: JsonObject) => JsonObject): (body: JsonObject) => unknown {
  return (body) => {
    const meta = objectOf(body["meta"]);
    const pagination = objectOf(meta["pagination"]);
    return { ...body, meta: { ...meta, pagination: { ...pagination, ...apply(pagination) } } };
  };
}

const DELETE_FIRST = { method: "DELETE", path: "/damages/damage-1" } as const;

/** Damages with known IDs, so that another writer can delete one of them. */
const knownDamages = Array.from({ length: 230 }, (_, index) => ({
  id: `damage-${index + 1}`,
  description: `Scratch ${index + 1}`,
  reportedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
}));

/** Stores in the order of their external IDs. */
function namedStores(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => ({
    externalId: `S-${String(from + index).padStart(4, "0")}`,
    name: `Kiosk ${from + index}`,
  }));
}

const unnamed = { externalId: null, name: "Kiosk without external ID" };

/** The service loses the store that the next cursor names. */
const removeCursorStore: Fault = {
  what: "the store that the cursor names is deleted",
  arm: ({ ref }) =>
    ref
      .on("listStores")
      .change(({ body }) => {
        ref.state.store.stores.delete(String(objectOf(body)["nextCursor"]));
        return undefined;
      })
      .times(1),
};

/** Changes the second page, knowing the first. */
function changeSecondPage(what: string, apply: (second: JsonObject, first: JsonObject) => JsonObject): Fault {
  return {
    what,
    arm({ ref, operation }) {
      let first: JsonObject | undefined;
      const remember = ({ body }: { body: unknown }): undefined => void (first ??= objectOf(body));
      ref.on(operation).change(remember).times(1);
      return ref
        .on(operation)
        .change(({ status, body }) => ({ status, body: apply(objectOf(body), first ?? {}) }))
        .skip(1)
        .times(1);
    },
  };
}

const repeatFirstPage = changeSecondPage("the first page again", (_, first) => first);

const overlapPages = changeSecondPage("the page begins with a row of the page before", (page, first) => {
  const name = ["items", "data", "photos"].find((property) => Array.isArray(page[property])) ?? "items";
  return { ...page, [name]: [...objectsIn(first[name]).slice(-1), ...objectsIn(page[name])] };
});

export const listRows: ScenarioRows = {
  "cursor-repeats": {
    tasks: [...CURSORS, ...NUMBERS],
    why: "A cache key lacks the cursor or the page number, so that the same page comes again and announces another one.",
    cause: "cursor-followed-blindly",
    faults: [breakPages("repeat-cursor")],
  },
  "cursor-loop": {
    tasks: [...CURSORS, ...NUMBERS],
    why: "Two servers behind one address disagree about the order of the rows, and the cursors lead back.",
    cause: "cursor-followed-blindly",
    faults: [breakPages("cycle")],
  },
  "page-repeats": {
    tasks: [...CURSORS, ...NUMBERS],
    why: "A service maps each page after the second to the second, for example because of a depth limit.",
    cause: "cursor-followed-blindly",
    faults: [breakPages("clamp")],
  },
  "list-ends-on-a-full-page": {
    tasks: [copyStores],
    why: "The number of stores is a multiple of the page size, so that the last page is full and has no cursor.",
    cause: "ends-early",
    world: { store: { stores: namedStores(0, 200) } },
    isSolvable: true,
  },
  "empty-page": {
    tasks: [...CURSORS, ...NUMBERS],
    why: "A filter that runs after the page was cut leaves a page without rows, and further pages follow.",
    cause: "ends-early",
    faults: [breakPages("empty-page")],
    isSolvable: true,
  },
  "rows-move": {
    tasks: [...CURSORS, ...NUMBERS],
    why: "Colleagues add and delete rows while the copy runs, so that rows move to other pages.",
    cause: "list-changes",
    faults: [breakPages("shift")],
    isSolvable: true,
  },
  "row-deleted": {
    tasks: [copyDamages],
    why: "Somebody deletes a row of the first page, so that the first row of the second page moves to the first.",
    cause: "list-changes",
    world: { fleet: { damages: knownDamages } },
    faults: [otherWriter(DELETE_FIRST)],
    isSolvable: true,
  },
  "row-replaced": {
    tasks: [copyDamages],
    why: "One row is deleted and another one added between two pages: the total count stays the same.",
    cause: "list-changes",
    world: { fleet: { damages: knownDamages } },
    faults: [
      otherWriter(DELETE_FIRST),
      otherWriter({ method: "POST", path: "/damages", body: { description: "New" } }),
    ],
  },
  "early-end": {
    tasks: NUMBERS,
    why: "A page says that it is the last one, although its own total count says otherwise.",
    cause: "ends-early",
    faults: [
      changeBody(
        "hasNextPage is false",
        second,
        changePagination(() => ({ hasNextPage: false })),
      ),
    ],
  },
  "cached-page": {
    tasks: [...CURSORS, ...NUMBERS],
    why: "A cache that ignores the query returns the first page for the second request, once.",
    cause: "cursor-followed-blindly",
    faults: [repeatFirstPage],
  },
  "pages-overlap": {
    tasks: [...CURSORS, ...NUMBERS],
    why: "A page begins with the last row of the page before it.",
    cause: "list-changes",
    faults: [overlapPages],
    isSolvable: true,
  },
  "total-pages-missing": {
    tasks: NUMBERS,
    why: "A release of the service forgets the number of pages.",
    cause: "ends-early",
    faults: [
      changeBody(
        "no totalPages",
        second,
        changePagination(() => ({ totalPages: undefined })),
      ),
    ],
  },
  "null-cursor-early": {
    tasks: [copyStores],
    why: "The cursor is the external ID of the last store of a page, and this store does not have an external ID.",
    cause: "ends-early",
    world: {
      readings: { "stores.null-cursor": "null-early" },
      store: { stores: [...namedStores(0, 99), unnamed, ...namedStores(99, 250)] },
    },
  },
  "cursor-missing": {
    tasks: CURSORS,
    why: "A release of the service forgets the cursor of a page that is not the last one.",
    cause: "ends-early",
    faults: [changeBody("no cursor", second, ({ nextCursor: _, ...rest }) => rest)],
  },
  "cursor-row-gone": {
    tasks: [copyStores],
    why: "The store that the cursor names is deleted during the walk, and the service responds with an empty page.",
    cause: "ends-early",
    world: { readings: { "stores.unknown-cursor": "empty" } },
    faults: [removeCursorStore],
  },
  "cursor-ignored": {
    tasks: [copyProtocols],
    why: "The contract declares no cursor parameter for this list, and the service ignores it: the first page again.",
    cause: "cursor-followed-blindly",
    world: { readings: { "protocols.next-page": "ignored" } },
  },
  "cursor-ignored-but-new": {
    tasks: [copyProtocols],
    why: "The service ignores the cursor and returns the first page with a new cursor each time.",
    cause: "cursor-followed-blindly",
    world: { readings: { "protocols.next-page": "ignored-new-cursor" } },
  },
  "cursor-rejected": {
    tasks: [copyProtocols],
    why: "The service rejects a parameter that the contract does not declare.",
    cause: "ends-early",
    world: { readings: { "protocols.next-page": "rejected" } },
    reached: 400,
  },
  "whole-list": {
    tasks: NUMBERS,
    why: "The list has no pages, whatever page is requested.",
    cause: "cursor-followed-blindly",
    world: { readings: { "lists.undocumented": "whole" } },
  },
  "past-the-end": {
    tasks: NUMBERS,
    why: "The service returns the last page for every number after it.",
    cause: "cursor-followed-blindly",
    world: { readings: { "fleet.page-past-end": "clamped" } },
    isSolvable: true,
  },
};
