import { isUuid } from "../../../wire/uuid.ts";
import { type ApiResponse, type Issue, ok } from "../../http/api-response.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { notFound } from "./errors.ts";
import { type Fact, factsOf } from "./fill-rate-facts.ts";
import {
  type Group,
  type GroupBy,
  Groups,
  groupBody,
  groupFacts,
  isBelow,
  rateOf,
} from "./fill-rate-groups.ts";
import { expositionOf, externalIdOf, requireStore, storedId } from "./path-ids.ts";
import { timeRangeIssues } from "./time-range.ts";

/** `GET /v1/stores/{externalId}/fill-rates` */
export const getStoreFillRates: StoreHandler = {
  find: requireStore,
  check: timeRangeIssues,
  run: (context) => {
    const groupBy = context.query.groupBy;
    const groups = groupFacts(factsOf(context, externalIdOf(context)), groupBy, context.readings);
    return ok(bodyOf(context, { externalId: externalIdOf(context), groupBy }, groups, groupBy));
  },
};

/** `GET /v1/stores/{externalId}/expositions/{expositionId}/fill-rate` */
export const getExpositionFillRate: StoreHandler = {
  find: (context) => requireStore(context) ?? requireExposition(context),
  check: (context) => [...timeRangeIssues(context), ...idIssues(context)],
  run: (context) => {
    const expositionId = storedExpositionId(context);
    const facts = factsOf(context, externalIdOf(context)).filter(
      (fact) => fact.expositionId === expositionId,
    );
    return ok(
      bodyOf(
        context,
        { externalId: externalIdOf(context), expositionId },
        groupFacts(facts, "exposition", context.readings),
        "exposition",
      ),
    );
  },
};

/** `GET /v1/fill-rate` */
export const getFillRates: StoreHandler = {
  check: (context) => [...timeRangeIssues(context), ...boundIssues(context), ...unknownStoreIssues(context)],
  run: acrossStores,
};

/** Reads store by store: the facts of 100 000 stores do not fit into memory. */
function acrossStores(context: StoreContext): ApiResponse {
  const groupBy = context.query.groupBy;
  const groups = new Groups(groupBy, context.readings);
  for (const key of selectedStores(context)) {
    groups.add(filterByExpectation(context, factsOf(context, key)));
  }
  const included = groups.sorted().filter((group) => isIncluded(context, group));
  return ok(bodyOf(context, { groupBy }, included, groupBy));
}

/** gap fill-rates.shape */
function bodyOf(context: StoreContext, head: object, groups: readonly Group[], groupBy: GroupBy): unknown {
  const { query, readings } = context;
  const rows = groups.map((group) => groupBody(group, groupBy, readings));
  return {
    ...head,
    from: query.from,
    to: query.to,
    status: query.status,
    [readings["fill-rates.shape"]]: rows,
  };
}

function storedExpositionId(context: StoreContext): string | undefined {
  const expositions = context.data.expositions.get(externalIdOf(context)) ?? [];
  return expositionOf(expositions, context.params.expositionId)?.expositionId;
}

function requireExposition(context: StoreContext) {
  if (storedExpositionId(context) !== undefined || idIssues(context).length > 0) return undefined;
  return notFound("exposition", context.readings);
}

/** gap fill-rates.exposition-id */
function idIssues({ params, readings }: StoreContext): Issue[] {
  if (readings["fill-rates.exposition-id"] === "not-found" || isUuid(params.expositionId)) return [];
  return [{ path: "expositionId", message: "must be a UUID", code: "invalid_format" }];
}

/** Returns the requested external IDs, each once; `undefined` for all stores. */
function requestedStores(context: StoreContext): string[] | undefined {
  const { query } = context;
  const requested = (query.externalIds ?? "").split(",").filter((id) => id !== "");
  return requested.length === 0 ? undefined : [...new Set(requested.map((id) => storedId(context, id)))];
}

/** Skips unknown external IDs. gap fill-rates.unknown-stores */
function selectedStores(context: StoreContext): readonly string[] {
  const all = context.data.stores;
  return requestedStores(context)?.filter((key) => all.has(key)) ?? all.keyList();
}

/** gap fill-rates.unknown-stores */
function unknownStoreIssues(context: StoreContext): Issue[] {
  if (context.readings["fill-rates.unknown-stores"] === "skipped") return [];
  const unknown = (requestedStores(context) ?? []).filter((key) => !context.data.stores.has(key));
  return unknown.map((key) => ({ path: "externalIds", message: `no store has the external ID ${key}` }));
}

/** gap fill-rates.inverted-bounds */
function boundIssues(context: StoreContext): Issue[] {
  if (context.readings["fill-rates.inverted-bounds"] === "empty" || !isInverted(context)) return [];
  return [{ path: "minFillRate", message: "must be at most maxFillRate" }];
}

function isInverted({ query }: StoreContext): boolean {
  const { minFillRate, maxFillRate } = query;
  return minFillRate !== undefined && maxFillRate !== undefined && minFillRate > maxFillRate;
}

/** gap fill-rates.below-expectation, of stores */
function filterByExpectation({ query, readings }: StoreContext, facts: Fact[]): Fact[] {
  if (query.belowExpectationOnly !== true || readings["fill-rates.below-expectation"] !== "stores")
    return facts;
  return groupFacts(facts, "exposition", readings).some(isBelow) ? facts : [];
}

function isIncluded(context: StoreContext, group: Group): boolean {
  const { query, readings } = context;
  const requested =
    query.belowExpectationOnly === true && readings["fill-rates.below-expectation"] === "groups";
  return (!requested || isBelow(group)) && isWithinBounds(context, rateOf(group, readings));
}

/** The bounds are 0 to 100, for any scale of the response, and compare with the shown value. gaps fill-rates.bounds, fill-rates.inverted-bounds */
function isWithinBounds(context: StoreContext, rate: number | null): boolean {
  const { minFillRate = -Infinity, maxFillRate = Infinity } = context.query;
  const isBounded = minFillRate !== -Infinity || maxFillRate !== Infinity;
  if (rate === null) return !isBounded || context.readings["fill-rates.bounds"] === "ignored";
  switch (context.readings["fill-rates.bounds"]) {
    case "inclusive":
      return rate >= minFillRate && rate <= maxFillRate;
    case "exclusive":
      return rate > minFillRate && rate < maxFillRate;
    case "ignored":
      return !isInverted(context);
  }
}
