import type { IndexKey } from "./matcher.ts";
import type { RequestView } from "../http/request-view.ts";
import { type Rule, appliesTo } from "./rule.ts";

/** Rules in the order of their declaration: those with a count, and the others. */
export interface RuleLists {
  readonly counted: Rule[];
  readonly others: Rule[];
}

/** The rules whose index key is the equality of one parameter, by its value. */
interface KeyedRules {
  readonly part: IndexKey["part"];
  readonly name: string;
  readonly byValue: Map<string, RuleLists>;
}

/**
 * The rules of one operation and one kind of effect. A rule that requires the value of a parameter is indexed by
 * this value, so that a request is compared only with rules that may match.
 */
export class RuleIndex {
  readonly #plain: RuleLists = { counted: [], others: [] };
  readonly #keyed = new Map<string, KeyedRules>();

  add(rule: Rule): void {
    const lists = this.#listsOf(rule);
    insert(isCounted(rule) ? lists.counted : lists.others, rule);
  }

  /** Removes a rule; its count must be the one that it was added with. */
  delete(rule: Rule): void {
    const lists = this.#listsOf(rule);
    remove(isCounted(rule) ? lists.counted : lists.others, rule);
    const { key } = rule.matcher ?? {};
    if (key === undefined || !isEmpty(lists)) return;
    this.#keyed.get(nameOf(key))?.byValue.delete(key.value);
  }

  /** Collects the lists with rules that may match a request. */
  collect(request: RequestView, lists: RuleLists[]): void {
    if (!isEmpty(this.#plain)) lists.push(this.#plain);
    for (const { part, name, byValue } of this.#keyed.values()) {
      if (byValue.size === 0) continue;
      const value = request[part][name];
      const found = typeof value === "string" ? byValue.get(value) : undefined;
      if (found !== undefined) lists.push(found);
    }
  }

  #listsOf({ matcher }: Rule): RuleLists {
    const key = matcher?.key;
    if (key === undefined) return this.#plain;
    const { part, name, value } = key;
    const keyed = this.#keyed.get(nameOf(key)) ?? { part, name, byValue: new Map<string, RuleLists>() };
    this.#keyed.set(nameOf(key), keyed);
    const lists = keyed.byValue.get(value) ?? { counted: [], others: [] };
    keyed.byValue.set(value, lists);
    return lists;
  }
}

function nameOf({ part, name }: IndexKey): string {
  return `${part}.${name}`;
}

function isEmpty({ counted, others }: RuleLists): boolean {
  return counted.length === 0 && others.length === 0;
}

function isCounted({ remaining }: Rule): boolean {
  return remaining !== Infinity;
}

/** Returns the first rule that applies: those with a count first, oldest first; then the others, newest first. */
export function firstApplying(lists: readonly RuleLists[], request: RequestView): Rule | undefined {
  if (lists.length === 0) return undefined;
  const accepts = (rule: Rule) => appliesTo(rule, request);
  return (
    findInOrder(
      lists.map(({ counted }) => counted),
      1,
      accepts,
    ) ??
    findInOrder(
      lists.map(({ others }) => others),
      -1,
      accepts,
    )
  );
}

/** Returns all rules that apply. */
export function allApplying(lists: readonly RuleLists[], request: RequestView): Rule[] {
  return lists.flatMap(({ counted, others }) =>
    [...counted, ...others].filter((rule) => appliesTo(rule, request)),
  );
}

/** Iterates over several lists at once, in the order of the declarations or backwards. */
function findInOrder(
  lists: readonly (readonly Rule[])[],
  step: 1 | -1,
  accepts: (rule: Rule) => boolean,
): Rule | undefined {
  const at = lists.map((list) => (step === 1 ? 0 : list.length - 1));
  for (;;) {
    let nearest = -1;
    let rule: Rule | undefined;
    for (const [index, list] of lists.entries()) {
      const next = list[at[index] ?? -1];
      if (next === undefined || (rule !== undefined && (next.id - rule.id) * step > 0)) continue;
      rule = next;
      nearest = index;
    }
    if (rule === undefined || accepts(rule)) return rule;
    at[nearest] = (at[nearest] ?? 0) + step;
  }
}

function insert(list: Rule[], rule: Rule): void {
  const last = list.at(-1);
  if (last === undefined || last.id < rule.id) list.push(rule);
  else list.splice(indexOf(list, rule.id), 0, rule);
}

function remove(list: Rule[], rule: Rule): void {
  const at = indexOf(list, rule.id);
  if (list[at] !== rule) return;
  if (at === 0) list.shift();
  else list.splice(at, 1);
}

/** Returns the index of the first rule that is not older than an id. */
function indexOf(list: readonly Rule[], id: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.id ?? id) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
