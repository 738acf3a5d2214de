import { type Exchange, bodyOf, isOk, paginationOf, rowsOf } from "../../exchange.ts";
import { type Sighting, experiment, proof, sighting } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { isObject, objectOf, objectsIn } from "../../json.ts";
import { type Lab, fleetOf } from "../../lab.ts";
import { idsIn, isWhole, listOf, totalOf } from "./data.ts";

const UNSHOWN: ReadonlySet<string> = new Set([
  "listVehicles",
  "listVehicleGroups",
  "listInspections",
  "listDamages",
  "listDriverAssignments",
]);

export const unshownLists = experiment({
  gap: "lists.unshown",
  consent: "read",
  cost: 1,
  needs: "a key that may read vehicles and damages",
  notice: (exchange) => {
    if (!UNSHOWN.has(exchange.operation ?? "") || !isOk(exchange) || exchange.query.limit === undefined)
      return undefined;
    const limit = Number(exchange.query.limit);
    const pagination = paginationOf(exchange);
    // gap fleet.unshown-answers: without an envelope only the number of rows shows it
    if (!isObject(bodyOf(exchange).meta)) return undefined;
    const seen = { isPaged: pagination !== undefined, isWithin: rowsOf(exchange).length <= limit };
    const because = `${exchange.path} with a limit of ${limit} ${seen.isPaged ? "has" : "lacks"} pagination.`;
    return sighting(seen, because, exchange);
  },
  observe: async function* observe(lab) {
    for (const path of ["/vehicles", "/damages", "/inspections", "/vehicle-groups"]) {
      const page = await listOf(lab, path);
      yield undefined;
      if (isObject(bodyOf(page).meta) || rowsOf(page).length < 2) continue;
      const one = await listOf(lab, path, { limit: "1" });
      const seen = { isPaged: rowsOf(one).length === 1, isWithin: true };
      yield sighting(seen, `${path} with a limit of 1 has ${rowsOf(one).length} rows.`, page, one);
    }
    throw new Missing("lists that say how many rows there are");
  },
  readings: {
    paged: ({ isPaged, isWithin }) => isPaged && isWithin,
    whole: ({ isPaged }) => !isPaged,
  },
});

export const unshownAnswers = experiment({
  gap: "fleet.unshown-answers",
  consent: "read",
  cost: 1,
  needs: "a key that may read vehicles and damages",
  notice: (exchange) => {
    if (!UNSHOWN.has(exchange.operation ?? "") || !isOk(exchange)) return undefined;
    const { data, meta } = bodyOf(exchange);
    const isEnvelope = Array.isArray(data) && isObject(meta);
    return sighting(isEnvelope, `${exchange.path} ${isEnvelope ? "has" : "lacks"} data and meta.`, exchange);
  },
  observe: async function* observe(lab) {
    for (const path of ["/vehicles", "/damages"]) {
      await listOf(lab, path);
      yield undefined;
    }
  },
  readings: { envelope: (isEnvelope) => isEnvelope, anything: (isEnvelope) => !isEnvelope },
});

export const unsentFilters = experiment({
  gap: "fleet.unsent-filters",
  consent: "read",
  cost: 1,
  needs: "a vehicle field",
  notice: (exchange) => {
    if (!["listVehicleFields", "listVehicleFieldVehicles"].includes(exchange.operation ?? ""))
      return undefined;
    if (!isOk(exchange) || exchange.query.search !== undefined) return undefined;
    const { filters } = objectOf(bodyOf(exchange).meta);
    const { search } = objectOf(filters);
    // the service may remember the filter of an earlier page: gap lists.filters-across-pages
    if (typeof search === "string" && search !== "") return undefined;
    const because = `meta.filters.search is ${search === undefined ? "missing" : JSON.stringify(search)}.`;
    return sighting({ search }, because, exchange);
  },
  observe: async function* observe(lab) {
    const [id] = idsIn(rowsOf(await listOf(lab, "/vehicle-fields")));
    yield undefined;
    if (id === undefined) throw new Missing("a vehicle field");
    await listOf(lab, fieldVehicles(id));
    yield undefined;
  },
  readings: {
    "null-value": ({ search }) => search === null,
    absent: ({ search }) => search === undefined,
    "empty-text": ({ search }) => search === "",
  },
});

export function fieldVehicles(id: string): string {
  return `/vehicle-fields/${encodeURIComponent(id)}/vehicles`;
}

/** The number of fields that are examined. */
const MOST_FIELDS = 4;

export const noResponse = experiment({
  gap: "fields.no-response",
  consent: "read",
  cost: 2,
  needs: "a vehicle without a response for a field",
  notice: (exchange) => {
    if (exchange.operation !== "listVehicleFieldVehicles" || !isOk(exchange)) return undefined;
    const rows = rowsOf(exchange);
    const nulls = rows.filter((row) => row.latestResponse === null).length;
    const absent = rows.filter((row) => row.latestResponse === undefined).length;
    if (nulls + absent === 0) return undefined;
    const because = `latestResponse is null for ${nulls} and missing for ${absent} of ${rows.length} vehicles.`;
    return proof({ nulls, absent, leftOut: 0 }, because, exchange);
  },
  observe: async function* observe(lab) {
    const vehicles = idsIn(rowsOf(await listOf(lab, "/vehicles")));
    const fields = idsIn(rowsOf(await listOf(lab, "/vehicle-fields")));
    for (const field of fields.slice(0, MOST_FIELDS)) {
      const page = await listOf(lab, fieldVehicles(field));
      yield undefined;
      const listed = new Set(idsIn(rowsOf(page), "vehicleId"));
      const lacking = isWhole(page) ? vehicles.find((id) => !listed.has(id)) : undefined;
      if (lacking === undefined || (listed.size === 0 && rowsOf(page).length > 0)) continue;
      const vehicle = await fleetOf(lab).get(`/vehicles/${encodeURIComponent(lacking)}`, {}, { fresh: true });
      if (!isOk(vehicle)) continue;
      const because = `A vehicle of the company is not among the ${listed.size} vehicles of a field.`;
      yield proof({ nulls: 0, absent: 0, leftOut: 1 }, because, page, vehicle);
    }
    throw new Missing("a vehicle without a response for a field");
  },
  readings: {
    "left-out": ({ leftOut }) => leftOut > 0,
    "null-response": ({ nulls, absent }) => nulls > 0 && absent === 0,
    "absent-response": ({ nulls, absent }) => absent > 0 && nulls === 0,
  },
});

export const noStatusRule = experiment({
  gap: "fields.no-status-rule",
  consent: "read",
  cost: 1,
  needs: "a vehicle field with options and without status rule",
  notice: (exchange) => {
    if (exchange.operation !== "listVehicleFields" || !isOk(exchange)) return undefined;
    const fields = rowsOf(exchange).filter(({ hasStatusRule }) => hasStatusRule === false);
    const statuses = fields.flatMap(({ options }) => objectsIn(options).map(({ status }) => status));
    if (statuses.length === 0) return undefined;
    const ok = statuses.filter((status) => status === "OK").length;
    const absent = statuses.filter((status) => status === undefined).length;
    const because = `Of ${statuses.length} options without a rule ${ok} have OK and ${absent} have no status.`;
    const seen = { ok, absent, all: statuses.length };
    return statuses.length > 1 ? proof(seen, because, exchange) : sighting(seen, because, exchange);
  },
  observe: async function* observe(lab) {
    const page = await listOf(lab, "/vehicle-fields");
    yield undefined;
    if (!isWhole(page)) await listOf(lab, "/vehicle-fields", { page: "2" });
    throw new Missing("a vehicle field with options and without status rule");
  },
  readings: { ok: ({ ok, all }) => ok === all, absent: ({ absent, all }) => absent === all },
});

export const templateOptions = experiment({
  gap: "templates.options",
  consent: "read",
  cost: 1,
  needs: "a template with an item of type SELECT that has options",
  notice: (exchange) => {
    if (exchange.operation !== "listInspectionTemplates" || !isOk(exchange)) return undefined;
    const items = rowsOf(exchange).flatMap((row) => objectsIn(row.items));
    const options = items
      .filter(({ inputType }) => inputType === "SELECT")
      .flatMap(({ options: given }): unknown[] => (Array.isArray(given) ? given : []));
    if (options.length === 0) return undefined;
    const strings = options.filter((option) => typeof option === "string").length;
    const objects = options.filter(isObject).length;
    const because = `Of ${options.length} options of templates ${strings} are strings and ${objects} are objects.`;
    const seen = { strings, objects, all: options.length };
    return options.length > 1 ? proof(seen, because, exchange) : sighting(seen, because, exchange);
  },
  observe: async function* observe(lab) {
    await listOf(lab, "/inspection-templates");
    yield undefined;
    throw new Missing("a template with an item of type SELECT that has options");
  },
  readings: {
    strings: ({ strings, all }) => strings === all,
    objects: ({ objects, all }) => objects === all,
  },
});

export const inactiveTemplates = experiment({
  gap: "templates.inactive",
  consent: "read",
  cost: 1,
  needs: "an inactive template",
  notice: (exchange) => {
    if (exchange.operation !== "listInspectionTemplates" || !isOk(exchange)) return undefined;
    if (exchange.query.isActive !== undefined) return undefined;
    const inactive = rowsOf(exchange).filter(({ isActive }) => isActive === false).length;
    if (inactive === 0) return undefined;
    return proof(true, `The list without isActive holds ${inactive} inactive templates.`, exchange);
  },
  observe: async function* observe(lab) {
    const path = "/inspection-templates";
    const page = await listOf(lab, path);
    yield undefined;
    const inactive = await listOf(lab, path, { isActive: "false" });
    const ids = idsIn(rowsOf(inactive).filter(({ isActive }) => isActive === false));
    if (ids.length === 0 || !isWhole(page)) throw new Missing("an inactive template");
    const again = await fleetOf(lab).get(path, { limit: "100" }, { fresh: true });
    const listed = new Set(idsIn(rowsOf(again)));
    const isHidden = isOk(again) && isWhole(again) && ids.every((id) => !listed.has(id));
    if (isHidden)
      yield proof(false, "The list without isActive lacks the inactive templates.", inactive, again);
  },
  readings: { all: (isListed) => isListed, "active-only": (isListed) => !isListed },
});

/** Finds the parameter name that filters the template list. */
interface FilterSeen {
  readonly effective: readonly string[];
  readonly refused: readonly string[];
  readonly ignored: readonly string[];
}

async function* filterNames(
  lab: Lab,
  names: readonly string[],
  value: string,
): AsyncGenerator<Sighting<FilterSeen>, void> {
  const path = "/inspection-templates";
  if (totalOf(await listOf(lab, path)) === 0) throw new Missing("a template");
  const seen = { effective: [] as string[], refused: [] as string[], ignored: [] as string[] };
  const evidence: Exchange[] = [];
  for (const name of names) {
    const exchange = await fleetOf(lab).get(path, { limit: "100", [name]: value });
    evidence.push(exchange);
    const isEffective = isOk(exchange) && totalOf(exchange) === 0;
    const kind = isEffective ? "effective" : isOk(exchange) ? "ignored" : "refused";
    seen[kind].push(name);
    if (isEffective) yield proof(seen, `The parameter ${name} narrows the template list.`, exchange);
  }
  yield sighting(seen, `Of ${names.join(", ")} none narrows the template list.`, ...evidence);
}

/** If the service rejects the value of one name and ignores all other names, it knows this name. */
function isName(name: string): (seen: FilterSeen) => boolean {
  return ({ effective, refused, ignored }) =>
    effective.includes(name) ||
    (effective.length === 0 && refused.length === 1 && refused[0] === name && ignored.length > 0);
}

export const groupFilter = experiment<"templates.group-filter", FilterSeen>({
  gap: "templates.group-filter",
  consent: "read-odd",
  cost: 2,
  needs: "a template",
  observe: (lab) => filterNames(lab, ["vehicleGroupId", "groupId", "vehicleGroup"], lab.uuid()),
  readings: {
    vehicleGroupId: isName("vehicleGroupId"),
    groupId: isName("groupId"),
    vehicleGroup: isName("vehicleGroup"),
  },
});

export const titleFilter = experiment<"templates.title-filter", FilterSeen>({
  gap: "templates.title-filter",
  consent: "read-odd",
  cost: 1,
  needs: "a template",
  observe: (lab) => filterNames(lab, ["search", "title"], lab.marker),
  readings: { search: isName("search"), title: isName("title") },
});
