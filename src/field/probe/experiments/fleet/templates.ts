import { pathSegment } from "../../../../wire/path-segment.ts";
import { control, succeeds } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, fleetOf, unseenFirst } from "../../experiment-tools.ts";
import { isObject, objectsIn } from "../../json.ts";
import { TEMPLATES, examineRows, idsIn, isWhole, listOf, totalOf } from "./data.ts";

export const templateOptions = experiment({
  gap: "templates.options",
  cost: 1,
  needs: "a template with an item of type SELECT that has options",
  assumes: "The options of two templates show those of all.",
  everyEntity: true,
  observe: (tools) =>
    examineRows(tools, TEMPLATES, ({ items }) => {
      const options = objectsIn(items)
        .filter(({ inputType }) => inputType === "SELECT")
        .flatMap(({ options: given }): unknown[] => (Array.isArray(given) ? given : []));
      if (options.length === 0) return undefined;
      const strings = options.filter((option) => typeof option === "string").length;
      const objects = options.filter(isObject).length;
      const reason = `Of ${options.length} options of a template ${strings} are strings and ${objects} are objects.`;
      return { observed: { strings, objects, all: options.length }, reason };
    }),
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
  shownBy: ["listInspectionTemplates"],
  examine: (exchange) => {
    if (exchange.query.isActive !== undefined || exchange.query.page !== undefined) return undefined;
    const inactive = rowsOf(exchange).filter(({ isActive }) => isActive === false).length;
    const reason = `The list without isActive holds ${inactive} inactive templates.`;
    return inactive === 0 ? undefined : { observed: true, reason };
  },
  observe: async function* observe(tools) {
    await listOf(tools, TEMPLATES);
    yield undefined;
    const inactive = await listOf(tools, TEMPLATES, { isActive: "false" });
    const ids = idsIn(rowsOf(inactive).filter(({ isActive }) => isActive === false));
    if (ids.length === 0) return;
    const all = await tools.ask(fleetOf(tools), TEMPLATES, { limit: "100" }, { fresh: true });
    const after = await listOf(tools, TEMPLATES, { isActive: "false" }, { fresh: true });
    const listed = idsIn(rowsOf(all));
    if (ids.some((id) => listed.includes(id))) return;
    const reason = "The list without isActive lacks the inactive templates.";
    const isSame = String(idsIn(rowsOf(after))) === String(idsIn(rowsOf(inactive)));
    const isStill = control("the inactive templates are still inactive", isSame, after);
    const isAll = isOk(all) && isWhole(all) && listed.length > 0;
    const hasAll = control("the list is whole and has active templates", isAll, all);
    yield observation(TEMPLATES, false, reason, [succeeds(inactive), isStill, hasAll]);
  },
  readings: { all: true, "active-only": false },
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
      const isStill = control("the template is still listed", idsIn(rowsOf(again)).includes(id), page);
      const isKnown = isOk(exchange) || exchange.status === 404;
      const controls = [isStill, control("the status is 200 or 404", isKnown, exchange)] as const;
      yield observation(id, observed, reason, controls);
    }
  },
  readings: { "by-path": { isOther: true }, absent: { status: 404 }, "list-element": { isElement: true } },
});

/** The parameters of the template list that narrow it, that are rejected, and that have no effect. */
interface FilterObserved {
  readonly effective: readonly string[];
  readonly refused: readonly string[];
  readonly ignored: readonly string[];
}

/** Finds the name of the parameter that filters the template list. */
async function* filterNames(
  tools: ExperimentTools,
  names: readonly string[],
  value: string,
): AsyncGenerator<ExperimentResult<FilterObserved>, void> {
  const base = await listOf(tools, TEMPLATES);
  if (totalOf(base) === 0) return;
  const observed = { effective: [] as string[], refused: [] as string[], ignored: [] as string[] };
  const sent: Exchange[] = [];
  for (const name of names) {
    const exchange = await tools.ask(fleetOf(tools), TEMPLATES, { limit: "100", [name]: value });
    sent.push(exchange);
    const isEffective = isOk(exchange) && totalOf(exchange) === 0;
    const isIgnored = isOk(exchange) && totalOf(exchange) === totalOf(base);
    observed[isEffective ? "effective" : isIgnored ? "ignored" : "refused"].push(name);
    if (observed.effective.length === 1 && sent.length > 1) break;
  }
  // a name that is ignored shows the whole list
  const isWholeAgain = observed.ignored.includes(names[sent.length - 1] ?? "");
  const after = isWholeAgain ? (sent.at(-1) ?? base) : await listOf(tools, TEMPLATES, {}, { fresh: true });
  const found = observed.effective.join(" and ") || "none";
  const reason = `Of the parameters ${names.join(", ")} ${found} narrows the template list.`;
  const isStill = control("the list stays the same", totalOf(after) === totalOf(base));
  const isOne = control("another name does not narrow the list", observed.effective.length < sent.length);
  const controls = [succeeds(base), isStill, isOne] as const;
  yield observation(names.join(), observed, reason, controls, base, after, ...sent);
}

/** If the service rejects the value of one name and ignores all other names, it knows this name. */
function isName(name: string): (observed: FilterObserved) => boolean {
  return ({ effective, refused, ignored }) =>
    effective.length > 0
      ? effective.includes(name)
      : refused.length === 1 && refused[0] === name && ignored.length > 0;
}

const FILTER = {
  needs: "a template",
  assumes: "A parameter that empties the list, when another unknown one does not, is the filter.",
} as const;

export const groupFilter = experiment({
  gap: "templates.group-filter",
  cost: 3.3,
  ...FILTER,
  observe: (tools) => filterNames(tools, ["vehicleGroupId", "groupId", "vehicleGroup"], tools.uuid()),
  readings: {
    vehicleGroupId: isName("vehicleGroupId"),
    groupId: isName("groupId"),
    vehicleGroup: isName("vehicleGroup"),
  },
});

export const titleFilter = experiment({
  gap: "templates.title-filter",
  cost: 3,
  ...FILTER,
  observe: (tools) => filterNames(tools, ["search", "title"], tools.marker),
  readings: { search: isName("search"), title: isName("title") },
});
