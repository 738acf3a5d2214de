import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { isObject, objectsIn } from "../../json.ts";
import { type ExperimentTools, fleetOf } from "../../experiment-tools.ts";
import { idsIn, isWhole, listOf, totalOf } from "./data.ts";

export const templateOptions = experiment({
  gap: "templates.options",
  consent: "read",
  cost: 1,
  needs: "a template with an item of type SELECT that has options",
  examine: (exchange) => {
    if (exchange.operation !== "listInspectionTemplates" || !isOk(exchange)) return undefined;
    const items = rowsOf(exchange).flatMap((row) => objectsIn(row.items));
    const options = items
      .filter(({ inputType }) => inputType === "SELECT")
      .flatMap(({ options: given }): unknown[] => (Array.isArray(given) ? given : []));
    if (options.length === 0) return undefined;
    const strings = options.filter((option) => typeof option === "string").length;
    const objects = options.filter(isObject).length;
    const reason = `Of ${options.length} options of templates ${strings} are strings and ${objects} are objects.`;
    const observed = { strings, objects, all: options.length };
    return options.length > 1
      ? conclusiveResult(observed, reason, exchange)
      : tentativeResult(observed, reason, exchange);
  },
  observe: async function* observe(tools) {
    await listOf(tools, "/inspection-templates");
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
  examine: (exchange) => {
    if (exchange.operation !== "listInspectionTemplates" || !isOk(exchange)) return undefined;
    if (exchange.query.isActive !== undefined) return undefined;
    const inactive = rowsOf(exchange).filter(({ isActive }) => isActive === false).length;
    if (inactive === 0) return undefined;
    return conclusiveResult(
      true,
      `The list without isActive holds ${inactive} inactive templates.`,
      exchange,
    );
  },
  observe: async function* observe(tools) {
    const path = "/inspection-templates";
    const page = await listOf(tools, path);
    yield undefined;
    const inactive = await listOf(tools, path, { isActive: "false" });
    const ids = idsIn(rowsOf(inactive).filter(({ isActive }) => isActive === false));
    if (ids.length === 0 || !isWhole(page)) throw new Missing("an inactive template");
    const again = await fleetOf(tools).get(path, { limit: "100" }, { fresh: true });
    const listed = new Set(idsIn(rowsOf(again)));
    const isHidden = isOk(again) && isWhole(again) && ids.every((id) => !listed.has(id));
    if (isHidden)
      yield conclusiveResult(
        false,
        "The list without isActive lacks the inactive templates.",
        inactive,
        again,
      );
  },
  readings: { all: (isListed) => isListed, "active-only": (isListed) => !isListed },
});

/** Finds the parameter name that filters the template list. */
interface FilterObserved {
  readonly effective: readonly string[];
  readonly refused: readonly string[];
  readonly ignored: readonly string[];
}

async function* filterNames(
  tools: ExperimentTools,
  names: readonly string[],
  value: string,
): AsyncGenerator<ExperimentResult<FilterObserved>, void> {
  const path = "/inspection-templates";
  if (totalOf(await listOf(tools, path)) === 0) throw new Missing("a template");
  const observed = { effective: [] as string[], refused: [] as string[], ignored: [] as string[] };
  const evidence: Exchange[] = [];
  for (const name of names) {
    const exchange = await fleetOf(tools).get(path, { limit: "100", [name]: value });
    evidence.push(exchange);
    const isEffective = isOk(exchange) && totalOf(exchange) === 0;
    const kind = isEffective ? "effective" : isOk(exchange) ? "ignored" : "refused";
    observed[kind].push(name);
    if (isEffective)
      yield conclusiveResult(observed, `The parameter ${name} narrows the template list.`, exchange);
  }
  yield tentativeResult(observed, `Of ${names.join(", ")} none narrows the template list.`, ...evidence);
}

/** If the service rejects the value of one name and ignores all other names, it knows this name. */
function isName(name: string): (observed: FilterObserved) => boolean {
  return ({ effective, refused, ignored }) =>
    effective.includes(name) ||
    (effective.length === 0 && refused.length === 1 && refused[0] === name && ignored.length > 0);
}

export const groupFilter = experiment<"templates.group-filter", FilterObserved>({
  gap: "templates.group-filter",
  consent: "read-odd",
  cost: 2,
  needs: "a template",
  observe: (tools) => filterNames(tools, ["vehicleGroupId", "groupId", "vehicleGroup"], tools.uuid()),
  readings: {
    vehicleGroupId: isName("vehicleGroupId"),
    groupId: isName("groupId"),
    vehicleGroup: isName("vehicleGroup"),
  },
});

export const titleFilter = experiment<"templates.title-filter", FilterObserved>({
  gap: "templates.title-filter",
  consent: "read-odd",
  cost: 1,
  needs: "a template",
  observe: (tools) => filterNames(tools, ["search", "title"], tools.marker),
  readings: { search: isName("search"), title: isName("title") },
});
