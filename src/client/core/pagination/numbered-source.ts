import { isCount } from "../../../wire/exact-numbers.ts";
import { isInteger, isObject } from "../../../wire/json.ts";
import { describeDrift, type DriftEvent } from "../options/drift.ts";
import { KeySet } from "./key-set.ts";
import type { Shape } from "../request/shape.ts";
import type { WalkSettings } from "./list-reader.ts";
import { type ListCall, refusal } from "./list-call.ts";
import { type AcceptedPage, type DriftReaction, type NumberedContext, PassReader } from "./numbered-pass.ts";
import type { NumberedPage } from "./page.ts";
import { Pass } from "./pass.ts";
import { readAhead } from "./read-ahead.ts";
import { badToken, beginWalk, type Walk, writeToken } from "./walk.ts";
import { maxPasses, type VerifiedPass, verifyPasses } from "./verify.ts";

/** The specifics of one numbered list. */
export interface NumberedSettings {
  itemId: readonly string[];
  mayBeWhole: boolean;
  advice: string;
  report: (event: DriftEvent, description: string) => void;
}

const reactions: readonly unknown[] = ["heal", "report", "throw"] satisfies DriftReaction[];

/** Walks the pages of a list. */
export function walkNumberedList<T, Meta>(
  call: ListCall,
  shape: Shape<T> | undefined,
  settings: NumberedSettings,
  { ahead, unit, sender }: WalkSettings,
): AsyncGenerator<NumberedPage<T, Meta>, void, void> {
  checkPosition(call);
  const walk = beginWalk(call, sender);
  const format = { ...settings, limit: call.pageSize, shape };
  const context = { call, walk, format, report: settings.report };
  const position = readPosition(call, walk);
  if (call.positionQuery.verify === true) return verifyNumbered<T, Meta>(context, position, ahead);
  return walkNumbered<T, Meta>(context, position, ahead, unit);
}

/** The position of a walk: the next page of its first pass, or the beginning of a further pass. */
interface NumberedPosition {
  pass: Pass;
  /** The number of the next page. */
  page: number;
  /** The items that were delivered before a further pass. */
  delivered: KeySet | undefined;
  /** All of them have an ID. */
  hasIds: boolean;
}

type WalkContext<T> = NumberedContext<T> & Pick<NumberedSettings, "report">;

/**
 * Walks a list in one pass. Under `heal`, a pass during which an item may have been lost is followed by another one,
 * which delivers the items that are new to the consumer; its pages are read one after the other.
 */
async function* walkNumbered<T, Meta>(
  context: WalkContext<T>,
  position: NumberedPosition,
  ahead: number,
  unit: WalkSettings["unit"],
): AsyncGenerator<NumberedPage<T, Meta>, void, void> {
  const { call, walk, report } = context;
  const { onDrift } = call.positionQuery as { onDrift?: DriftReaction }; // checked before
  const reaction = onDrift ?? (unit === "items" ? "heal" : "report");
  const isHealing = reaction === "heal";
  const signal = call.options?.signal;
  let { pass, page: next, delivered } = position;
  requireIds(walk, position.hasIds, delivered?.size ?? 0);
  let mayFail = true;
  for (let passes = 1; ; passes += 1) {
    const isFirst = delivered === undefined;
    const reader = new PassReader<T, Meta>(context, pass, next, reaction, unit === "pages");
    for await (const accepted of readAhead(reader, isFirst ? ahead : 0, signal)) {
      const { read, isLast, failure } = accepted;
      for (const change of accepted.drift)
        report({ operation: call.operation, drift: change }, describeDrift(change));
      if (failure !== undefined && !mayFail) throw failure; // it is not caused by a change of the list
      mayFail &&= failure === undefined;
      const isDone = isLast && !(isHealing && pass.isChanged);
      const items = isHealing || !isFirst ? takeNew(accepted, delivered) : (read?.items ?? []);
      // a further pass delivers pages with new items only
      if (read !== undefined && (isFirst || items.length > 0 || isDone)) {
        const isInPass = isFirst && !isLast;
        const writeResume = () =>
          isInPass ? accepted.resume : writeToken(call, toNextPass(pass, delivered), walk);
        yield read.build(items, accepted.drift, isDone ? null : writeResume());
      }
      if (isLast) break;
    }
    if (!isHealing || !pass.isChanged) return;
    delivered ??= pass.keys;
    requireIds(walk, pass.hasIds, delivered.size);
    if (passes === maxPasses)
      throw walk.guard.error(
        `the list changed during each of ${maxPasses} passes; ${delivered.size} items were delivered`,
      );
    pass = Pass.begin(pass.start);
    next = pass.start;
    walk.guard.restart();
  }
}

/** Returns the items that were not delivered yet. In the first pass, the items of the pass were delivered. */
function takeNew<T, Meta>({ read, isNew }: AcceptedPage<T, Meta>, delivered: KeySet | undefined): T[] {
  if (read === undefined) return [];
  const { items, keys } = read;
  return items.filter(
    (_, index) => (delivered === undefined ? isNew[index] : delivered.add(keys[index] as number)), // one key for each item
  );
}

/** The position of a token after which the list is read again from its beginning. */
function toNextPass({ start, keys, hasIds }: Pass, delivered: KeySet = keys): object {
  return { start, delivered: delivered.serialize(), hasIds };
}

/** Items without ID that were delivered cannot be left out in another pass. */
function requireIds({ guard }: Walk, hasIds: boolean, delivered: number): void {
  if (hasIds) return;
  throw guard.error(
    "the list changed while it was walked, and items without ID cannot be recognized in another pass " +
      `(${delivered} were delivered; \`onDrift: "report"\` reads on)`,
  );
}

/** Delivers the items of two equal passes. */
function verifyNumbered<T, Meta>(
  context: WalkContext<T>,
  { pass, delivered = pass.keys }: NumberedPosition,
  ahead: number,
): AsyncGenerator<NumberedPage<T, Meta>, void, void> {
  const { call, walk } = context;
  const readPass = async (): Promise<VerifiedPass<NumberedPage<T, Meta>>> => {
    walk.guard.restart();
    const current = Pass.begin(pass.start);
    const reader = new PassReader<T, Meta>(context, current, pass.start, "heal", false);
    const accepted: AcceptedPage<T, Meta>[] = [];
    for await (const page of readAhead(reader, ahead, call.options?.signal)) {
      accepted.push(page);
      if (page.isLast) break;
    }
    const pages = accepted.flatMap(({ read }) => (read === undefined ? [] : [read]));
    return {
      pages: pages.map((read) => ({
        keys: read.keys,
        build: (isNew, resume) =>
          read.build(
            read.items.filter((_, index) => isNew[index]),
            [],
            resume,
          ),
      })),
      isSteady: accepted.every(
        ({ read, drift }) => read !== undefined && drift.every(({ kind }) => kind === "short-page"),
      ),
    };
  };
  const writeResume = (known: KeySet): string => writeToken(call, toNextPass(pass, known), walk);
  return verifyPasses(call, readPass, delivered, writeResume);
}

/** Validates the options of the walk before it begins; the rest of the query is validated with each request. */
function checkPosition(call: ListCall): void {
  const { onDrift = "heal", verify = false } = call.positionQuery;
  const { page = 1 } = call.baseQuery;
  if (!isInteger(page)) throw refusal(call, "page", "must be an integer");
  if (page < 1) throw refusal(call, "page", "must be at least 1");
  if (!reactions.includes(onDrift)) throw refusal(call, "onDrift", `must be one of ${reactions.join(", ")}`);
  if (typeof verify !== "boolean") throw refusal(call, "verify", "must be true or false");
}

function readPosition(call: ListCall, { resumed }: Walk): NumberedPosition {
  const { page: first = 1 } = call.baseQuery as { page?: number }; // checked above
  if (resumed === undefined)
    return { pass: Pass.begin(first), page: first, delivered: undefined, hasIds: true };
  const { page, pass, start, delivered, hasIds } = isObject(resumed.position) ? resumed.position : {};
  const known = KeySet.read(delivered);
  if (isCount(start, 1) && known !== undefined && typeof hasIds === "boolean")
    return { pass: Pass.begin(start), page: start, delivered: known, hasIds };
  const current = Pass.read(pass);
  if (!isCount(page, 1) || current === undefined || page <= current.start) throw badToken(call);
  return { pass: current, page, delivered: undefined, hasIds: true };
}
