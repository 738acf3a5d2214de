import { servePages } from "../page-faults.ts";
import { eventRow, POSTS, reading, type Row, type Rows, row } from "../row.ts";
import { newExposition } from "../tasks/store.ts";

const RANGES = ["copy-protocols", "copy-photos"] as const;
const UPSERTS = ["add-expositions", "change-exposition"] as const;

function range(ends: "left-open" | "inclusive" | "exclusive", effect: string): Row {
  return row(RANGES, "select-by-time", {
    why: `The contract does not say which ends belong to a range: one that is ${ends} ${effect}.`,
    readings: { "time-range.ends": ends },
  });
}

function photoPage(shape: "photos-nextCursor" | "data-cursor" | "no-list", meaning: string): Row {
  return row(["copy-photos"], "check-reads", {
    why: `The contract does not show the properties of the photo list: here ${meaning}.`,
    readings: { "photos.page-shape": shape },
  });
}

export const readingRows: Rows = {
  "range-left-open": range("left-open", "has the right number of rows, and two of them are wrong"),
  "range-inclusive": range("inclusive", "returns a row that belongs to the next range as well"),
  "range-exclusive": range("exclusive", "loses the row at midnight"),
  "range-by-submission": row(["copy-protocols"], "select-by-time", {
    why: "The range compares with the submission of a protocol, and not with its creation.",
    readings: { "time-range.instant": "submission" },
  }),
  "newest-first": eventRow(["copy-protocols"], "any-order", reading("protocols.order", "newest-first"), {
    why: "The list begins with the newest row.",
  }),
  "id-has-another-name": row(["copy-protocols"], "check-the-meaning", {
    why: "The contract does not show the properties of a protocol: here its ID is called `id`.",
    readings: { "protocols.id-property": "id" },
  }),
  "no-ids": eventRow(["copy-protocols"], "check-the-meaning", reading("protocols.id-property", "anonymous"), {
    why: "The list shows protocols without an ID.",
  }),
  "times-without-offset": row(RANGES, "check-the-meaning", {
    why: "The service sends local-looking times without an offset, which some libraries read in the zone of the machine.",
    readings: { "date-times.forms": "responses-without-offset" },
  }),
  "list-has-another-name": photoPage("photos-nextCursor", "the rows are in `photos`"),
  "list-and-cursor-have-other-names": photoPage(
    "data-cursor",
    "the rows are in `data`, and the cursor is `cursor`",
  ),
  "no-list": photoPage("no-list", "there is only the number of photos"),
  "cursor-is-an-id": eventRow(["copy-photos"], "compare-walks", reading("photos.cursor-source", "photo-id"), {
    why: "The photo list returns no cursor: the ID of the last photo is the cursor of the next page.",
  }),
  "status-means-the-protocol": row(["copy-photos"], "check-the-filter", {
    why: "The filter `status` is declared twice; here it selects by the status of the protocol.",
    data: { status: "failed" },
    readings: { "photos.status": "protocol" },
  }),
  "status-means-either": row(["copy-photos"], "check-the-filter", {
    why: "The filter `status` is declared twice; here it selects photos and protocols with this status.",
    data: { status: "completed" },
    readings: { "photos.status": "either" },
  }),
  "inactive-hidden": row(["copy-templates"], "check-the-meaning", {
    why: "The list contains only active templates if the filter is omitted.",
    readings: { "templates.inactive": "active-only" },
  }),
  "filter-ignored": row(["copy-templates"], "check-the-filter", {
    why: "A release of the service does not know the filter and returns everything.",
    data: { isActive: false },
    fault: servePages("isActive is ignored"),
  }),
  "rates-are-fractions": row(["copy-fill-rates"], "check-the-meaning", {
    why: "The contract does not name the unit of a fill rate: here 1 is full.",
    readings: { "fill-rates.calculation": "fraction" },
  }),
  "rates-have-another-list": row(["copy-fill-rates"], "check-reads", {
    why: "The contract does not show the report: here its rows are in `items`.",
    readings: { "fill-rates.shape": "items" },
  }),
  "update-erases": eventRow(["change-stores"], "send-the-whole", reading("stores.omitted-fields", "reset"), {
    why: "A PUT sets every property to its default that the body omits.",
  }),
  "update-must-be-whole": row(["change-stores"], "check-writes", {
    why: "A PUT rejects a body that omits a property.",
    readings: { "stores.omitted-fields": "reject" },
  }),
  "creation-needs-more": row(["create-stores"], "check-writes", {
    why: "The service requires properties that the contract does not mark as required.",
    data: { stores: [7, 8].map((number) => ({ externalId: `S-${number}`, name: `Kiosk ${number}` })) },
    readings: { "stores.create-requirements": "non-null-fields" },
  }),
  "patch-has-its-own-shape": row(["change-inspections"], "check-writes", {
    why: "A PATCH expects the changes in a property of its body.",
    readings: { "fleet.patch": "own-shape" },
  }),
  "absent-is-deleted": eventRow(UPSERTS, "send-the-whole", reading("expositions.absent", "delete"), {
    why: "The upsert deletes the expositions that the body does not name.",
  }),
  "absent-is-disabled": eventRow(UPSERTS, "send-the-whole", reading("expositions.absent", "disable"), {
    why: "The upsert disables the expositions that the body does not name.",
  }),
  "matched-by-type": row(["add-expositions"], "compare-identities", {
    why: "The upsert recognizes an exposition without an ID by its type, and overwrites the one that has it.",
    readings: { "expositions.matching": "type" },
    data: { expositions: [newExposition(4, "FRIDGE_DRINKS", "DRINKS")] },
  }),
  "created-with-200": eventRow(POSTS, "accept-success", reading("fleet.create-status", "ok"), {
    why: "A POST succeeds with 200 instead of 201.",
  }),
  "deleted-with-204": row(["delete-damages"], "accept-success", {
    why: "A DELETE succeeds with 204 and no body.",
    readings: { "fleet.delete-response": "no-content" },
  }),
  "deleted-with-204-then-again": row(["delete-oldest-damage"], "accept-success", {
    why: "A DELETE succeeds with 204, the program takes it for a failure, and its next run deletes the next damage.",
    readings: { "fleet.delete-response": "no-content" },
    runs: "twice if it fails",
  }),
  "version-header-required": row(["copy-vehicles"], "check-reads", {
    why: "The service requires the header X-Service-API-Version, which the contract calls optional.",
    readings: { "fleet.version-header": "required" },
  }),
};
