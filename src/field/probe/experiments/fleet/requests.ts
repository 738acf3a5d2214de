import { pathSegment } from "../../../../wire/path-segment.ts";
import { bodyOf, isOk, paginationOf, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { objectOf, objectsIn } from "../../json.ts";
import { type ExperimentTools, fleetOf } from "../../experiment-tools.ts";
import { describedLists, listOf, totalOf } from "./data.ts";

const FIELDS = "/vehicle-fields";

export const versionHeader = experiment({
  gap: "fleet.version-header",
  consent: "read",
  cost: 1,
  needs: "the list of vehicle fields",
  observe: async function* observe(tools) {
    await listOf(tools, FIELDS);
    for (const limit of ["1", "2"]) {
      const exchange = await fleetOf(tools).get(FIELDS, { limit }, { version: null });
      yield conclusiveResult(
        exchange.status,
        `A request without X-Service-API-Version: status ${exchange.status}.`,
        exchange,
      );
    }
  },
  readings: { optional: (status) => status === 200, required: (status) => status === 400 },
});

export const unknownVersion = experiment({
  gap: "fleet.unknown-version",
  consent: "read-odd",
  cost: 1,
  needs: "the list of vehicle fields",
  observe: async function* observe(tools) {
    await listOf(tools, FIELDS);
    const exchange = await fleetOf(tools).get(FIELDS, { limit: "1" }, { version: "v99" });
    yield conclusiveResult(
      exchange.status,
      `The version v99 in X-Service-API-Version: status ${exchange.status}.`,
      exchange,
    );
  },
  readings: { ignored: (status) => status === 200, rejected: (status) => status === 400 },
});

export const undocumentedBodies = experiment({
  gap: "errors.undocumented-bodies",
  consent: "read-odd",
  cost: 2,
  after: ["fleet.limit-out-of-range", "fleet.page-past-end", "fleet.malformed-ids", "fleet.unknown-version"],
  needs: "a request that gets a 400",
  examine: (exchange) => {
    if (exchange.api !== "fleet" || exchange.status !== 400) return undefined;
    const [error] = objectsIn(bodyOf(exchange).errors);
    const observed = { isEmpty: exchange.text.trim() === "", hasCode: typeof error?.code === "string" };
    return tentativeResult(
      observed,
      `A 400 ${observed.isEmpty ? "has no body" : "has a body with errors"}.`,
      exchange,
    );
  },
  observe: async function* observe(tools) {
    const fleet = fleetOf(tools);
    const [field] = rowsOf(await listOf(tools, FIELDS));
    const queries: [string, Record<string, string>][] = [
      ["/inspection-templates", { isActive: "perhaps" }],
      ["/vehicle-fields", { limit: "many" }],
      [`/vehicle-fields/${pathSegment(String(field?.id))}/vehicles`, { status: "BROKEN" }],
      ["/inspection-templates", { page: "first" }],
    ];
    for (const [path, query] of queries) {
      await fleet.get(path, query);
      yield undefined;
    }
    throw new Missing("a request that gets a 400");
  },
  readings: { envelope: ({ hasCode }) => hasCode, empty: ({ isEmpty }) => isEmpty },
});

export const limitOutOfRange = experiment({
  gap: "fleet.limit-out-of-range",
  consent: "read-odd",
  cost: 1,
  needs: "two vehicle fields or two templates",
  observe: async function* observe(tools) {
    for await (const { path } of describedLists(tools)) {
      const none = await fleetOf(tools).get(path, { limit: "0" });
      const observed = { status: none.status, isNearest: isOk(none) && rowsOf(none).length === 1 };
      yield tentativeResult(
        observed,
        `A limit of 0: status ${none.status}, ${rowsOf(none).length} rows.`,
        none,
      );
      const page = await fleetOf(tools).get(path, { limit: "2", page: "0" });
      const at = paginationOf(page)?.currentPage;
      const nearest = { status: page.status, isNearest: isOk(page) && at === 1 };
      yield tentativeResult(nearest, `Page 0: status ${page.status}, page ${String(at)}.`, page);
    }
    throw new Missing("two vehicle fields or two templates");
  },
  readings: { rejected: ({ status }) => status === 400, clamped: ({ isNearest }) => isNearest },
});

export const pagePastEnd = experiment({
  gap: "fleet.page-past-end",
  consent: "read-odd",
  cost: 1,
  needs: "two vehicle fields or two templates",
  observe: async function* observe(tools) {
    for await (const { path, page } of describedLists(tools)) {
      const total = totalOf(page);
      const past = await fleetOf(tools).get(path, { limit: "1", page: String(total + 5) });
      const pagination = objectOf(paginationOf(past));
      const observed = {
        status: past.status,
        isEmpty: isOk(past) && rowsOf(past).length === 0 && pagination.hasNextPage === false,
        isLast: isOk(past) && rowsOf(past).length === 1 && pagination.currentPage === pagination.totalPages,
      };
      yield conclusiveResult(
        observed,
        `Page ${total + 5} of ${total}: status ${past.status}, ${rowsOf(past).length} rows.`,
        past,
      );
    }
    throw new Missing("two vehicle fields and two templates");
  },
  readings: {
    empty: ({ isEmpty }) => isEmpty,
    rejected: ({ status }) => status === 400,
    clamped: ({ isLast }) => isLast,
  },
});

export const malformedIds = experiment({
  gap: "fleet.malformed-ids",
  consent: "read-odd",
  cost: 1,
  needs: "a key that may read inspections",
  observe: async function* observe(tools) {
    for (const id of ["not-a-uuid", "12345"]) {
      const exchange = await fleetOf(tools).get(`/inspections/${id}`);
      yield conclusiveResult(exchange.status, `The inspection "${id}": status ${exchange.status}.`, exchange);
    }
  },
  readings: { "not-found": (status) => status === 404, invalid: (status) => status === 400 },
});

export const filtersAcrossPages = experiment({
  gap: "lists.filters-across-pages",
  consent: "read",
  cost: 2,
  needs: "two vehicle fields",
  observe: async function* observe(tools) {
    const total = totalOf(await listOf(tools, FIELDS));
    if (total < 2) throw new Missing("two vehicle fields");
    const fleet = fleetOf(tools);
    const found = await fleet.get(FIELDS, { limit: "1", page: "1", search: tools.marker }, { fresh: true });
    if (!isOk(found) || totalOf(found) !== 0) throw new Missing("a search that narrows the vehicle fields");
    const next = await fleet.get(FIELDS, { limit: "1", page: "2" }, { fresh: true });
    const count = isOk(next) ? totalOf(next) : undefined;
    const observed = { isUnfiltered: count === total, isFiltered: count === 0 || next.status === 400 };
    yield conclusiveResult(
      observed,
      `Page 2 without the search of page 1 counts ${String(count)} of ${total} fields.`,
      found,
      next,
    );
  },
  readings: {
    repeated: ({ isUnfiltered }) => isUnfiltered,
    remembered: ({ isFiltered }) => isFiltered,
  },
});

export const fleetRate = experiment({
  gap: "limits.fleet-rate",
  consent: "passive",
  cost: 1,
  needs: "more requests than a limit allows; that there is no limit cannot be seen",
  examine: (exchange) =>
    exchange.api === "fleet" && exchange.status === 429
      ? conclusiveResult(true, "A request got status 429.", exchange)
      : undefined,
  readings: { none: (isLimited) => !isLimited, "too-many-requests": (isLimited) => isLimited },
});

/** Sends a parameter that is not in the contract. */
async function* unknownParameter(
  tools: ExperimentTools,
  paths: readonly string[],
): AsyncGenerator<ExperimentResult<number>, void> {
  for (const path of paths) {
    await listOf(tools, path);
    const exchange = await fleetOf(tools).get(path, { limit: "1", shelfleetProbe: "1" });
    const reason = `${path} responded to an unknown query parameter with status ${exchange.status}.`;
    yield tentativeResult(exchange.status, reason, exchange);
  }
}

const IGNORED_OR_REJECTED = {
  ignored: (status: number): boolean => status === 200,
  rejected: (status: number): boolean => status === 400,
};

export const unknownMembers = experiment<"fleet.unknown-properties", number>({
  gap: "fleet.unknown-properties",
  consent: "read-odd",
  cost: 1,
  needs: "a key that may read vehicle fields and templates",
  observe: (tools) => unknownParameter(tools, [FIELDS, "/inspection-templates"]),
  readings: IGNORED_OR_REJECTED,
});

export const unknownFilters = experiment<"lists.unknown-filters", number>({
  gap: "lists.unknown-filters",
  consent: "read-odd",
  cost: 1,
  needs: "a key that may read vehicles and damages",
  observe: (tools) => unknownParameter(tools, ["/vehicles", "/damages", "/inspections"]),
  readings: IGNORED_OR_REJECTED,
});
