import { pathSegment } from "../../../../wire/path-segment.ts";
import { control, isShown, succeeds } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, fleetOf, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { isObject, objectsIn } from "../../json.ts";
import { idsIn, isWhole, listOf, totalOf } from "./data.ts";

const TEMPLATES = "/inspection-templates";

const SELECTABLE = "a template with an item of type SELECT that has options";

export const templateOptions = experiment({
  gap: "templates.options",
  cost: 1,
  needs: SELECTABLE,
  assumes: "The options of two templates show those of all.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const page = await tools.ask(fleetOf(tools), TEMPLATES, { limit: "100" });
    for (const id of unseenFirst(tools, idsIn(rowsOf(page)))) {
      const row = rowsOf(page).find((one) => one.id === id);
      const options = objectsIn(row?.items)
        .filter(({ inputType }) => inputType === "SELECT")
        .flatMap(({ options: given }): unknown[] => (Array.isArray(given) ? given : []));
      if (options.length === 0) continue;
      const strings = options.filter((option) => typeof option === "string").length;
      const objects = options.filter(isObject).length;
      const reason = `Of ${options.length} options of a template ${strings} are strings and ${objects} are objects.`;
      yield observation(id, { strings, objects, all: options.length }, reason, [isShown(page)], page);
    }
    throw new Missing(SELECTABLE);
  },
  readings: {
    strings: ({ strings, all }) => strings === all,
    objects: ({ objects, all }) => objects === all,
  },
});

export const inactiveTemplates = experiment({
  gap: "templates.inactive",
  cost: 1,
  needs: "an inactive template",
  assumes: "A template does not become active and inactive again within a few requests.",
  examine: (exchange) => {
    if (exchange.operation !== "listInspectionTemplates" || !isOk(exchange)) return undefined;
    if (exchange.query.isActive !== undefined || exchange.query.page !== undefined) return undefined;
    const inactive = rowsOf(exchange).filter(({ isActive }) => isActive === false).length;
    if (inactive === 0) return undefined;
    const reason = `The list without isActive holds ${inactive} inactive templates.`;
    return observation(TEMPLATES, true, reason, [isShown(exchange)], exchange);
  },
  observe: async function* observe(tools) {
    await listOf(tools, TEMPLATES);
    yield undefined;
    const inactive = await listOf(tools, TEMPLATES, { isActive: "false" });
    const ids = idsIn(rowsOf(inactive).filter(({ isActive }) => isActive === false));
    if (ids.length === 0) throw new Missing("an inactive template");
    const all = await tools.ask(fleetOf(tools), TEMPLATES, { limit: "100" }, { fresh: true });
    const after = await listOf(tools, TEMPLATES, { isActive: "false" }, { fresh: true });
    const listed = new Set(idsIn(rowsOf(all)));
    const isHidden = ids.every((id) => !listed.has(id));
    const reason = "The list without isActive lacks the inactive templates.";
    const isStill = control(
      "the inactive templates are still inactive",
      String(idsIn(rowsOf(after))) === String(idsIn(rowsOf(inactive))),
    );
    const hasAll = control(
      "the list is whole and has active templates",
      isOk(all) && isWhole(all) && listed.size > 0,
    );
    if (isHidden) yield observation(TEMPLATES, false, reason, [isStill, hasAll], inactive, after, all);
  },
  readings: { all: (isListed) => isListed, "active-only": (isListed) => !isListed },
});

export const getTemplate = experiment({
  gap: "templates.get-one",
  cost: 1,
  needs: "two templates",
  assumes: "The templates on the first page do not differ from others.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const page = await listOf(tools, TEMPLATES);
    for (const id of unseenFirst(tools, idsIn(rowsOf(page))).slice(0, 2)) {
      const row = rowsOf(page).find((one) => one.id === id) ?? {};
      const exchange = await tools.ask(fleetOf(tools), `${TEMPLATES}/${pathSegment(id)}`);
      const data = dataOf(exchange);
      const isElement = isOk(exchange) && Object.keys(row).every((name) => data[name] !== undefined);
      const isOther = isOk(exchange) && !isElement && Object.keys(data).length > 0;
      const observed = { status: exchange.status, isElement, isOther };
      const what = isElement ? ", the element of the list" : "";
      const reason = `A listed template by its ID: status ${exchange.status}${what}.`;
      const again = isOk(exchange) ? page : await listOf(tools, TEMPLATES, {}, { fresh: true });
      const isStill = control("the template is still listed", idsIn(rowsOf(again)).includes(id));
      const isKnown = control("the status is 200 or 404", isOk(exchange) || exchange.status === 404);
      yield observation(id, observed, reason, [isStill, isKnown], page, exchange);
    }
    throw new Missing("two templates");
  },
  readings: {
    "by-path": ({ isOther }) => isOther,
    absent: ({ status }) => status === 404,
    "list-element": ({ isElement }) => isElement,
  },
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
  const base = await listOf(tools, TEMPLATES);
  if (totalOf(base) === 0) throw new Missing("a template");
  const observed = { effective: [] as string[], refused: [] as string[], ignored: [] as string[] };
  const evidence: Exchange[] = [];
  for (const name of names) {
    const exchange = await tools.ask(fleetOf(tools), TEMPLATES, { limit: "100", [name]: value });
    evidence.push(exchange);
    const isEffective = isOk(exchange) && totalOf(exchange) === 0;
    const isIgnored = isOk(exchange) && totalOf(exchange) === totalOf(base);
    observed[isEffective ? "effective" : isIgnored ? "ignored" : "refused"].push(name);
    if (observed.effective.length === 1 && evidence.length > 1) break;
  }
  // a name that is ignored shows the whole list
  const last = evidence.at(-1) ?? base;
  const isWholeAgain = observed.ignored.includes(names[evidence.length - 1] ?? "");
  const after = isWholeAgain ? last : await listOf(tools, TEMPLATES, {}, { fresh: true });
  const found = observed.effective.join(" and ") || "none";
  const reason = `Of the parameters ${names.join(", ")} ${found} narrows the template list.`;
  const isStill = control("the list stays the same", totalOf(after) === totalOf(base));
  const isOne = control("another name does not narrow the list", observed.effective.length < evidence.length);
  yield observation(
    names.join(),
    observed,
    reason,
    [succeeds(base), isStill, isOne],
    base,
    after,
    ...evidence,
  );
}

/** If the service rejects the value of one name and ignores all other names, it knows this name. */
function isName(name: string): (observed: FilterObserved) => boolean {
  return ({ effective, refused, ignored }) =>
    effective.length > 0
      ? effective.includes(name)
      : refused.length === 1 && refused[0] === name && ignored.length > 0;
}

export const groupFilter = experiment<"templates.group-filter", FilterObserved>({
  gap: "templates.group-filter",
  cost: 3.3,
  needs: "a template",
  assumes: "A parameter that empties the list, when another unknown one does not, is the filter.",
  observe: (tools) => filterNames(tools, ["vehicleGroupId", "groupId", "vehicleGroup"], tools.uuid()),
  readings: {
    vehicleGroupId: isName("vehicleGroupId"),
    groupId: isName("groupId"),
    vehicleGroup: isName("vehicleGroup"),
  },
});

export const titleFilter = experiment<"templates.title-filter", FilterObserved>({
  gap: "templates.title-filter",
  cost: 3,
  needs: "a template",
  assumes: "A parameter that empties the list, when another unknown one does not, is the filter.",
  observe: (tools) => filterNames(tools, ["search", "title"], tools.marker),
  readings: { search: isName("search"), title: isName("title") },
});
