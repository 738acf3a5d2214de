import { pathSegment } from "../../../../wire/path-segment.ts";
import { largestPage } from "../../../routes.ts";
import { control, succeeds } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, fleetOf, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { isObject, objectsIn } from "../../../../wire/json.ts";
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
  cost: 2,
  needs: "an inactive template",
  assumes: "All inactive templates are treated alike, and none becomes active within a few requests.",
  shownBy: ["listInspectionTemplates"],
  examine: (exchange) => {
    if (exchange.query.isActive !== undefined || exchange.query.page !== undefined) return undefined;
    const inactive = rowsOf(exchange).filter(({ isActive }) => isActive === false).length;
    const reason = `The list without isActive holds ${inactive} inactive templates.`;
    return inactive === 0 ? undefined : { observed: true, reason };
  },
  observe: async function* observe(tools) {
    const before = await listOf(tools, TEMPLATES);
    yield undefined;
    const inactive = await listOf(tools, TEMPLATES, { isActive: "false" });
    const ids = idsIn(rowsOf(inactive).filter(({ isActive }) => isActive === false));
    if (ids.length === 0) return;
    const all = await tools.ask(fleetOf(tools), TEMPLATES, largestPage(TEMPLATES), { fresh: true });
    const listed = idsIn(rowsOf(all));
    if (ids.some((id) => listed.includes(id))) return;
    const reason = "The list without isActive lacks the inactive templates.";
    const isSame = String(listed) === String(idsIn(rowsOf(before)));
    const isStill = control(
      "the list is the same before and after the inactive ones are listed",
      isSame,
      before,
    );
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
      const row = rowsOf(page).find((template) => template.id === id) ?? {};
      const exchange = await tools.ask(fleetOf(tools), `${TEMPLATES}/${pathSegment(id)}`);
      const data = dataOf(exchange);
      // an object with other properties as well is not the element
      const names = new Set([...Object.keys(row), ...Object.keys(data)]);
      const isElement = isOk(exchange) && [...names].every((name) => name in row && name in data);
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

/** The possible names of the filters of the template list by what they filter. */
const FILTERS = {
  group: ["vehicleGroupId", "groupId", "vehicleGroup"],
  title: ["search", "title"],
} as const;

/** The effect of a parameter on the template list. */
interface Sent {
  readonly name: string;
  readonly exchange: Exchange;
  readonly effect: "effective" | "ignored" | "refused";
}

/** The requests for both filters. */
interface SentFilters {
  readonly base: Exchange;
  readonly sent: readonly Sent[];
  /** The whole list after the other requests. */
  readonly after: Exchange;
}

/**
 * Sends the possible names of both filters once in a round, up to the one that narrows the list. A name that was not sent
 * then shows that the list stays the same, and that not every name narrows it.
 */
function sendFilters(tools: ExperimentTools): Promise<SentFilters> {
  return tools.once("filters", async () => {
    const base = await listOf(tools, TEMPLATES);
    if (totalOf(base) === 0) throw new Missing("a template");
    const sent: Sent[] = [];
    const send = async (name: string, value: string): Promise<Sent> => {
      const exchange = await tools.ask(fleetOf(tools), TEMPLATES, {
        ...largestPage(TEMPLATES),
        [name]: value,
      });
      const isIgnored = isOk(exchange) && totalOf(exchange) === totalOf(base);
      const isEffective = isOk(exchange) && totalOf(exchange) === 0;
      const filter: Sent = {
        name,
        exchange,
        effect: isEffective ? "effective" : isIgnored ? "ignored" : "refused",
      };
      sent.push(filter);
      return filter;
    };
    const values = { group: tools.uuid(), title: tools.marker };
    const unsent = new Map<string, string>();
    for (const kind of ["group", "title"] as const)
      for (const name of FILTERS[kind]) {
        const isFound = sent.some(
          ({ effect, name: sentName }) => effect === "effective" && isOneOf(FILTERS[kind], sentName),
        );
        if (isFound) unsent.set(name, values[kind]);
        else await send(name, values[kind]);
      }
    const [other] = unsent;
    const isOneEffective = sent.every(({ effect }) => effect === "effective");
    const last = other === undefined || !isOneEffective ? sent.at(-1) : await send(...other);
    const isWholeAgain = last?.effect === "ignored";
    return {
      base,
      sent,
      after: isWholeAgain ? last.exchange : await listOf(tools, TEMPLATES, {}, { fresh: true }),
    };
  });
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** The possible names of one filter by their effect. */
type FilterObserved = Readonly<Record<Sent["effect"], readonly string[]>>;

/** Finds the name of the parameter that filters the template list. */
async function* filterName(
  tools: ExperimentTools,
  names: readonly string[],
): AsyncGenerator<ExperimentResult<FilterObserved>, void> {
  const { base, sent, after } = await sendFilters(tools);
  const own = sent.filter(({ name }) => names.includes(name));
  const having = (effect: Sent["effect"]): string[] =>
    own.filter((filter) => filter.effect === effect).map(({ name }) => name);
  const observed = {
    effective: having("effective"),
    refused: having("refused"),
    ignored: having("ignored"),
  };
  const found = observed.effective.join(" and ") || "none";
  const reason = `Of the parameters ${own.map(({ name }) => name).join(", ")} ${found} narrows the template list.`;
  const isStill = control("the list stays the same", totalOf(after) === totalOf(base));
  const isOther = sent.some(({ effect }) => effect !== "effective");
  const isOne = control("another name does not narrow the list", isOther);
  const controls = [succeeds(base), isStill, isOne] as const;
  const evidence = [base, after, ...own.map(({ exchange }) => exchange)];
  yield observation(names.join(), observed, reason, controls, ...evidence);
}

/** If the service rejects the value of one name and ignores all other names, it knows this name. */
function isName(name: string): (observed: FilterObserved) => boolean {
  return ({ effective, refused, ignored }) =>
    effective.length > 0
      ? effective.length === 1 && effective[0] === name
      : refused.length === 1 && refused[0] === name && ignored.length > 0;
}

const FILTER = {
  needs: "a template",
  assumes: "A parameter that empties the list, when another unknown one does not, is the filter.",
} as const;

export const groupFilter = experiment({
  gap: "templates.group-filter",
  cost: 2.2,
  ...FILTER,
  observe: (tools) => filterName(tools, FILTERS.group),
  readings: {
    vehicleGroupId: isName("vehicleGroupId"),
    groupId: isName("groupId"),
    vehicleGroup: isName("vehicleGroup"),
  },
});

export const titleFilter = experiment({
  gap: "templates.title-filter",
  cost: 0.2,
  after: ["templates.group-filter"],
  ...FILTER,
  observe: (tools) => filterName(tools, FILTERS.title),
  readings: { search: isName("search"), title: isName("title") },
});
