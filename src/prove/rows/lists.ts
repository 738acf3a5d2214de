import { always, answer, type Fault, fault, otherWriter, respond, second, type Where } from "../faults.ts";
import { changeBody, changePagination, changeRows, servePages } from "../page-faults.ts";
import type { StoreSeed } from "../../mock/index.ts";
import { objectOf } from "../../wire/json.ts";
import { eventRow, READS, reading, type Row, type Rows, row } from "../row.ts";
import { times } from "../task.ts";

const CURSORS = ["copy-stores", "copy-protocols", "copy-photos"] as const;
const NUMBERS = ["copy-vehicles", "copy-damages"] as const;
const LISTS = [...CURSORS, ...NUMBERS];

/** Stores in the order of their external IDs, the last of which has the number 1000 + `count`. */
function namedStores(count: number, names = count): StoreSeed[] {
  return times(count, (number) => ({ externalId: `S-${1000 + number}`, name: `Kiosk ${number % names}` }));
}

const withCursor: Where = { ...always, when: ({ query }) => query["cursor"] !== undefined };

const deleteDamage = otherWriter("deletes a damage", {}, ({ fleet: { damages } }) => {
  const [first = ""] = damages.keys();
  damages.delete(first);
});

const replaceDamage = (where: Where): Fault =>
  otherWriter("replaces a damage", where, ({ fleet: { damages } }) => {
    const [[id, damage] = []] = damages;
    damages.set("damage-new", { ...damage, id: "damage-new", description: "New" });
    damages.delete(String(id));
  });

/** The service loses the store that the next cursor names. */
const deleteCursorStore = fault("the store that the cursor names is deleted", {}, (on, { ref }) =>
  on.change(({ body }) => void ref.state.store.stores.delete(String(objectOf(body)["nextCursor"]))),
);

/** The service ends a page that reaches the thousandth store without a cursor. */
const endAfterThousand = changeBody("no cursor after 1 000 rows", always, ({ nextCursor, ...page }) => ({
  ...page,
  nextCursor: String(nextCursor) < "S-2000" ? nextCursor : null,
}));

/** The service continues after the name of the last store. */
const cursorIsName = answer(
  "the cursor is a name",
  always,
  ({ query: { cursor = "", limit = 50 } }, { ref }) => {
    const rows = [...ref.state.store.stores.values()].filter(({ name }) => name > String(cursor));
    const items = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, Number(limit));
    return { body: { items, nextCursor: rows.length > items.length ? items.at(-1)?.name : null } };
  },
);

function cursorExpires(status: number, tasks: Row["tasks"]): Row {
  return row(tasks, "check-reads", {
    why: `The service keeps a cursor for a moment, and responds with ${status} afterwards.`,
    fault: respond({ status }, withCursor),
  });
}

export const listRows: Rows = {
  "cursor-repeats": row(LISTS, "notice-loops", {
    why: "A cache key lacks the cursor or the page number, so that the same page comes again and announces another one.",
    fault: fault("the cursor stays the same", always, (on) => on.paging("repeat-cursor")),
  }),
  "cursor-loop": row(LISTS, "notice-loops", {
    why: "Two servers behind one address disagree about the order of the rows, and the cursors lead back.",
    fault: fault("the cursors form a loop", always, (on) => on.paging("cycle")),
  }),
  "page-repeats": row(LISTS, "notice-loops", {
    why: "A service maps each page after the second to the second, for example because of a depth limit.",
    fault: fault("the second page again", always, (on) => on.paging("clamp")),
  }),
  "list-ends-on-a-full-page": row(["copy-stores"], "walk-to-the-end", {
    why: "The number of stores is a multiple of the page size, so that the last page is full and has no cursor.",
    seed: { store: { stores: namedStores(200) } },
  }),
  "empty-page": row(LISTS, "walk-to-the-end", {
    why: "A filter that runs after the page was cut leaves a page without rows, and further pages follow.",
    fault: fault("an empty page in the middle", always, (on) => on.paging("empty-page")),
  }),
  "rows-move": row(LISTS, "walk-again", {
    why: "Colleagues add and delete rows while the copy runs, so that rows move to other pages.",
    fault: fault("rows move between the pages", always, (on) => on.paging("shift")),
  }),
  "row-deleted": eventRow(["copy-damages"], "walk-again", deleteDamage, {
    why: "Somebody deletes a row of the first page, so that the first row of the second page moves to the first.",
  }),
  "row-replaced": eventRow(["copy-damages"], "notice-changes", replaceDamage({}), {
    why: "One row is deleted and another one added between two pages: the total count stays the same.",
  }),
  "early-end": row(NUMBERS, "notice-the-end", {
    why: "A page says that it is the last one, although its own total count says otherwise.",
    fault: changePagination("hasNextPage is false", second, () => ({ hasNextPage: false })),
  }),
  "cached-page": row(LISTS, "notice-loops", {
    why: "A cache that ignores the query returns the first page for the second request, once.",
    fault: changeBody("the first page again", second, (_, first) => first),
  }),
  "pages-overlap": row(LISTS, "deliver-once", {
    why: "A page begins with the last row of the page before it.",
    fault: changeRows("the last row again", second, (rows, first) => [...first.slice(-1), ...rows]),
  }),
  "total-pages-missing": row(NUMBERS, "notice-the-end", {
    why: "A release of the service forgets the number of pages.",
    fault: changePagination("no totalPages", second, () => ({ totalPages: undefined })),
  }),
  "null-cursor-early": row(["copy-stores"], "compare-walks", {
    why: "The cursor is the external ID of the last store of a page, and this store does not have an external ID.",
    readings: { "stores.null-cursor": "null-early" },
    seed: { store: { stores: namedStores(250).toSpliced(99, 0, { externalId: null, name: "Kiosk" }) } },
  }),
  "cursor-missing": row(CURSORS, "compare-walks", {
    why: "A release of the service forgets the cursor of a page that is not the last one.",
    fault: changeBody("no cursor", second, ({ nextCursor: _, ...rest }) => rest),
  }),
  "cursor-row-gone": row(["copy-stores"], "compare-walks", {
    why: "The store that the cursor names is deleted during the walk, and the service responds with an empty page.",
    readings: { "stores.unknown-cursor": "empty" },
    fault: deleteCursorStore,
  }),
  "cursor-ignored": eventRow(["copy-protocols"], "notice-loops", reading("protocols.next-page", "ignored"), {
    why: "The contract declares no cursor parameter for this list, and the service ignores it: the first page again.",
  }),
  "cursor-ignored-but-new": row(["copy-protocols"], "notice-loops", {
    why: "The service ignores the cursor and returns the first page with a new cursor each time.",
    readings: { "protocols.next-page": "ignored-new-cursor" },
  }),
  "cursor-rejected": eventRow(["copy-protocols"], "check-reads", reading("protocols.next-page", "rejected"), {
    why: "The service rejects a parameter that the contract does not declare.",
  }),
  "whole-list": eventRow(NUMBERS, "notice-loops", reading("lists.undocumented", "whole"), {
    why: "The list has no pages, whatever page is requested.",
  }),
  "past-the-end": eventRow(NUMBERS, "trust-the-last-page", reading("fleet.page-past-end", "clamped"), {
    why: "The service returns the last page for every number after it.",
  }),
  "cursor-with-ties": row(["copy-stores"], "notice-changes", {
    why: "The cursor is a value that several rows share: those that did not fit on the page are skipped.",
    seed: { store: { stores: namedStores(230, 20) } },
    fault: cursorIsName,
    unnoticeable: "each page and each cursor could be right",
  }),
  "limit-clamped": row(["copy-stores"], "notice-changes", {
    why: "The service returns at most 20 rows, and its cursor advances by the 100 that were asked for.",
    fault: changeRows("20 rows of each page", always, (rows) => rows.slice(0, 20)),
    unnoticeable: "a page may have fewer rows than its limit",
  }),
  "limit-clamped-with-totals": row(NUMBERS, "notice-the-end", {
    why: "The service returns at most 20 rows, and counts pages of the 100 that were asked for.",
    fault: changeRows("20 rows of each page", always, (rows) => rows.slice(0, 20)),
  }),
  "result-window": row(["copy-stores"], "notice-changes", {
    why: "A search engine behind the service shows the first 1 000 rows, and then no cursor.",
    seed: { store: { stores: namedStores(1100) } },
    fault: endAfterThousand,
    unnoticeable: "the last page is one as any other",
  }),
  "result-window-with-totals": row(["copy-vehicles"], "notice-the-end", {
    why: "A search engine behind the service shows a limited number of rows, here 200, and counts all of them.",
    fault: servePages("no rows after the first 200", undefined, 200),
  }),
  "row-far-away-again": row(READS, "deliver-once", {
    why: "A row of the first page was changed during the walk, and comes again on the third.",
    fault: changeRows("a row of the first page", { from: 3 }, (rows, [first = {}]) => [...rows, first]),
  }),
  "total-capped": row(NUMBERS, "notice-the-end", {
    why: "Counting is expensive: the service stops at 100 rows, and knows only the next page.",
    fault: changePagination("a total of 100", always, () => ({ totalCount: 100, totalPages: 1 })),
  }),
  "total-hidden": row(NUMBERS, "notice-the-end", {
    why: "Counting is expensive: the service does not send totals.",
    fault: changePagination("no totals", always, () => ({ totalCount: null, totalPages: null })),
  }),
  "total-estimated": row(NUMBERS, "notice-changes", {
    why: "The database estimates the total, and each page has another one.",
    fault: changePagination("another total", always, ({ totalCount, totalPages, currentPage }) => ({
      totalCount: Number(totalCount) - 60 + 20 * Number(currentPage),
      totalPages: Number(totalPages) - (currentPage === 2 ? 1 : 0),
    })),
  }),
  "always-a-next-page": row(NUMBERS, "trust-the-last-page", {
    why: "A service says after each page that there is another one, also after the last.",
    fault: changePagination("hasNextPage is true", always, () => ({ hasNextPage: true })),
  }),
  "never-a-next-page": row(NUMBERS, "notice-the-end", {
    why: "A release of the service never says that there is another page, although its totals do.",
    fault: changePagination("hasNextPage is false", always, () => ({ hasNextPage: false })),
  }),
  "cursor-expired-409": cursorExpires(409, ["copy-stores"]),
  "cursor-expired-422": cursorExpires(422, ["copy-stores", "copy-photos"]),
  "cursor-expired-500": cursorExpires(500, ["copy-stores", "copy-photos"]),
  "partial-outage": row(NUMBERS, "notice-changes", {
    why: "One of three databases is down, and the service counts the rows of the others.",
    fault: servePages("a third of the rows is missing", (index) => index % 3 > 0),
    unnoticeable: "the totals agree with the rows",
  }),
  "row-replaced-between-runs": row(["copy-damages"], "save-together", {
    why: "Between two runs one row goes and another one comes: the total stays, and a resumed walk skips a row.",
    fault: replaceDamage(second),
    runs: { killedAt: 2 },
  }),
};
