import { pathSegment } from "../../../../wire/path-segment.ts";
import { FLEET_PATHS, MALFORMED_IDS, largestPage, maxLimit } from "../../../routes.ts";
import { control, hasStatus, isAnswer, succeeds } from "../../controls.ts";
import { bodyOf, isOk, paginationOf, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, fleetOf, openParts } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { objectOf, objectsIn } from "../../../../wire/json.ts";
import { fewestValuesFirst } from "./details.ts";
import {
  UNDOCUMENTED,
  DESCRIBED,
  DESCRIBED_PARTS,
  FIELDS,
  TEMPLATES,
  describedLists,
  fieldVehicles,
  idsIn,
  listOf,
  readableList,
  readableLists,
  totalOf,
} from "./data.ts";

const IGNORED_OR_REJECTED = { ignored: 200, rejected: 400 } as const;

/**
 * Sends the request of a list with another version header, after one with v1. The page sizes differ, because a cache that
 * ignores the header would otherwise return the response to the request with v1.
 */
async function* otherVersion(
  tools: ExperimentTools,
  ...versions: readonly (string | null)[]
): AsyncGenerator<ExperimentResult<number>, void> {
  const path = await readableList(tools);
  const base = await listOf(tools, path);
  for (const [index, version] of versions.entries()) {
    const named = version === null ? "without X-Service-API-Version" : `with the version ${version}`;
    const limit = String(maxLimit(path) - 4 * tools.round - index - (version === null ? 0 : 2));
    const exchange = await tools.ask(fleetOf(tools), path, { limit }, { version });
    const reason = `A request ${named}: status ${exchange.status}.`;
    yield observation(String(version), exchange.status, reason, [succeeds(base), isAnswer(exchange)]);
  }
}

export const versionHeader = experiment({
  gap: "fleet.version-header",
  cost: 1,
  needs: "a list that the key may read",
  assumes: "All operations treat the header in the same way.",
  observe: (tools) => otherVersion(tools, null, null),
  readings: { optional: 200, required: 400 },
});

const UNKNOWN_VERSIONS = ["v99", "unknown"] as const;

export const unknownVersion = experiment({
  gap: "fleet.unknown-version",
  cost: 1,
  needs: "a list that the key may read",
  assumes: "All operations treat the header in the same way.",
  parts: UNKNOWN_VERSIONS,
  observe: (tools) => otherVersion(tools, ...openParts(tools, UNKNOWN_VERSIONS)),
  readings: IGNORED_OR_REJECTED,
});

export const undocumentedBodies = experiment({
  gap: "errors.undocumented-bodies",
  cost: 2,
  after: ["fleet.limit-out-of-range", "fleet.page-past-end", "fleet.malformed-ids", "fleet.unknown-version"],
  needs: "a request that gets a 400",
  assumes: "Two different 400s have the body of all of them, and of every 500.",
  everyEntity: true,
  // a 500 may come from a proxy
  parts: ["a 500"],
  mayVary: true,
  examine: (exchange) => {
    if (exchange.api !== "fleet" || exchange.status !== 400) return undefined;
    const [error] = objectsIn(bodyOf(exchange).errors);
    const observed = { isEmpty: exchange.text.trim() === "", hasCode: typeof error?.code === "string" };
    const reason = `A 400 ${observed.isEmpty ? "has no body" : "has a body with errors"}.`;
    const subject = `${exchange.path} ${Object.keys(exchange.query).join()} ${exchange.version ?? ""}`;
    return { subject, observed, reason };
  },
  observe: async function* observe(tools) {
    const fleet = fleetOf(tools);
    const fields = idsIn(rowsOf(await fleet.get(FIELDS, largestPage(FIELDS)))).slice(0, 1);
    const invalid: readonly [path: string, query: Record<string, string>][] = [
      [TEMPLATES, { isActive: "perhaps" }],
      [FIELDS, { limit: "many" }],
      ...fields.map((id): [string, Record<string, string>] => [fieldVehicles(id), { status: "BROKEN" }]),
      [TEMPLATES, { page: "first" }],
    ];
    for (const [path, query] of invalid) {
      await fleet.get(path, query);
      yield undefined;
    }
  },
  readings: { envelope: { hasCode: true }, empty: { isEmpty: true } },
});

/** Values outside the bounds, with the number of rows of the nearest allowed one. */
const OUT_OF_RANGE = {
  "limit of 0": { query: { limit: "0" }, rows: 1 },
  "limit above the maximum": { query: { limit: String(maxLimit(FIELDS) + 1) }, rows: maxLimit(FIELDS) },
  "page 0": { query: { ...largestPage(FIELDS), page: "0" }, rows: maxLimit(FIELDS) },
};

function partOf(name: string, list: string): string {
  return `${name} of ${list}`;
}

export const limitOutOfRange = experiment({
  gap: "fleet.limit-out-of-range",
  cost: 2,
  needs: "two vehicle fields, two templates and a field with two vehicles",
  assumes: "All lists treat a limit and a page in the same way, and a negative one like 0.",
  parts: DESCRIBED_PARTS.flatMap((list) => Object.keys(OUT_OF_RANGE).map((part) => partOf(part, list))),
  observe: async function* observe(tools) {
    const fleet = fleetOf(tools);
    for await (const { part: list, whole } of describedLists(tools)) {
      const { path } = whole;
      const short = await fleet.get(path, { limit: "1" });
      const isLimited = control("a limit of 1 is respected", rowsOf(short).length === 1, short);
      for (const [name, nearest] of Object.entries(OUT_OF_RANGE)) {
        const part = partOf(name, list);
        if (tools.isSeen(part)) continue;
        const exchange = await tools.ask(fleet, path, nearest.query);
        const rows = rowsOf(exchange).length;
        const number = paginationOf(exchange)?.currentPage;
        const isNearest = number === 1 && rows === Math.min(totalOf(exchange), nearest.rows);
        const observed = { status: exchange.status, isNearest: isOk(exchange) && isNearest };
        const reason = `A ${name}: status ${exchange.status}, page ${String(number)}, ${rows} rows.`;
        yield observation(part, observed, reason, [isLimited, succeeds(whole), isAnswer(exchange)]);
      }
    }
  },
  readings: { rejected: { status: 400 }, clamped: { isNearest: true } },
});

export const pagePastEnd = experiment({
  gap: "fleet.page-past-end",
  cost: 1,
  needs: "two vehicle fields, two templates and a field with two vehicles",
  assumes: "All lists treat a page in the same way.",
  parts: DESCRIBED_PARTS,
  observe: async function* observe(tools) {
    for await (const { part, whole } of describedLists(tools)) {
      const { path } = whole;
      const total = totalOf(whole);
      const first = await fleetOf(tools).get(path, { limit: "1" });
      // a page further behind could be refused for its number
      const past = await tools.ask(fleetOf(tools), path, { limit: "1", page: String(total + 1) });
      const { hasNextPage, currentPage, totalPages } = objectOf(paginationOf(past));
      const rows = rowsOf(past).length;
      const observed = {
        status: past.status,
        isEmpty: isOk(past) && rows === 0 && hasNextPage === false,
        // a row may have been added
        isLast: isOk(past) && rows === 1 && currentPage === totalPages && currentPage !== total + 1,
      };
      const reason = `Page ${total + 1} of ${total}: status ${past.status}, ${rows} rows.`;
      const isPaged = isOk(first) && rowsOf(first).length === 1;
      const controls = [control("page 1 has one row", isPaged, first), isAnswer(past)] as const;
      yield observation(part, observed, reason, controls);
    }
  },
  readings: { empty: { isEmpty: true }, rejected: { status: 400 }, clamped: { isLast: true } },
});

export const malformedIds = experiment({
  gap: "fleet.malformed-ids",
  cost: 3,
  needs: "an inspection that the key may read",
  assumes: "Every malformed ID gets the same status.",
  parts: MALFORMED_IDS,
  observe: async function* observe(tools) {
    const [known] = fewestValuesFirst(rowsOf(await listOf(tools, FLEET_PATHS.inspections)));
    if (known === undefined) throw new Missing("an inspection");
    const read = await fleetOf(tools).get(`${FLEET_PATHS.inspections}/${pathSegment(known)}`);
    const unknown = await fleetOf(tools).get(`${FLEET_PATHS.inspections}/${tools.uuid()}`);
    for (const id of openParts(tools, MALFORMED_IDS)) {
      const exchange = await tools.ask(fleetOf(tools), `${FLEET_PATHS.inspections}/${id}`);
      const reason = `The inspection "${id}": status ${exchange.status}.`;
      const controls = [succeeds(read), hasStatus(unknown, 404), isAnswer(exchange)] as const;
      yield observation(id, exchange.status, reason, controls);
    }
  },
  readings: { "not-found": 404, invalid: 400 },
});

/** Sends a parameter that is not in the contract. */
async function* unknownParameter(
  tools: ExperimentTools,
  paths: readonly string[],
): AsyncGenerator<ExperimentResult<number>, void> {
  for await (const base of readableLists(tools, paths)) {
    const query = { ...base.query, shelfleetProbe: "1" };
    const exchange = await tools.ask(fleetOf(tools), base.path, query);
    const reason = `${base.path} responded to an unknown query parameter with status ${exchange.status}.`;
    yield observation(base.path, exchange.status, reason, [succeeds(base), isAnswer(exchange)]);
  }
}

export const unknownProperties = experiment({
  gap: "fleet.unknown-properties",
  cost: 1.2,
  needs: "a key that may read vehicle fields and templates",
  assumes: "The service treats every parameter and property that it does not know in the same way.",
  // no request shows which properties of an open body are unknown
  parts: [...DESCRIBED, "bodies"],
  observe: (tools) => unknownParameter(tools, DESCRIBED),
  readings: IGNORED_OR_REJECTED,
});

/** The lists that other experiments also read come first. */
const OFTEN_READ: ReadonlySet<string> = new Set([FLEET_PATHS.inspections, FLEET_PATHS.damages]);

export const unknownFilters = experiment({
  gap: "lists.unknown-filters",
  cost: 1,
  needs: "a key that may read every list whose filters are not shown",
  assumes: "No list has a filter with the name of the sent parameter.",
  parts: UNDOCUMENTED,
  observe: (tools) =>
    unknownParameter(
      tools,
      UNDOCUMENTED.toSorted((a, b) => Number(OFTEN_READ.has(b)) - Number(OFTEN_READ.has(a))),
    ),
  readings: IGNORED_OR_REJECTED,
});
