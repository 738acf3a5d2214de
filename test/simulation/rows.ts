/** The rules about the promises of docs/guarantees.md; `rows.test.ts` says which rule is about which promise. */
import type { Facts, Row } from "./rules.ts";
import type { Change, ClientSetup, Fault, MirrorStep, PullStep, WalkStep, WriteStep } from "./scenario.ts";

const always = (): boolean => true;

// Steps

const walkOf = ({ step }: Pick<Facts, "step">): WalkStep | undefined =>
  step.do === "walk" ? step : undefined;
const pullOf = ({ step }: Pick<Facts, "step">): PullStep | undefined =>
  step.do === "pull" ? step : undefined;
const mirrorOf = ({ step }: Facts): MirrorStep | undefined => (step.do === "mirror" ? step : undefined);
const writeOf = ({ step }: Facts): WriteStep | undefined => (step.do === "write" ? step : undefined);
const isWalk = (facts: Facts): boolean => walkOf(facts) !== undefined;
const isPull = (facts: Facts): boolean => pullOf(facts) !== undefined;
const isMirror = (facts: Facts): boolean => mirrorOf(facts) !== undefined;
const isNumbered = (facts: Facts): boolean => isWalk(facts) && facts.scenario.api === "fleet";
const isCursor = (facts: Facts): boolean => isWalk(facts) && facts.scenario.api === "store";
const isMethod = ({ step }: Facts, ...methods: readonly string[]): boolean => methods.includes(step.method);
const isModify = (facts: Facts): boolean => facts.step.method.endsWith(".modify");
const isChange = (facts: Facts): boolean => isModify(facts) || isMethod(facts, "applyPlan");
const isWrite = (facts: Facts): boolean => isChange(facts) || writeOf(facts) !== undefined;
const isStores = (facts: Facts): boolean => isCursor(facts) && isMethod(facts, "stores.list");
const isProtocols = (facts: Facts): boolean => isCursor(facts) && isMethod(facts, "protocols.list");

export function isVerified(facts: Facts): boolean {
  return walkOf(facts)?.query["verify"] === true;
}

function isHealed(facts: Facts): boolean {
  const { query = {}, by } = walkOf(facts) ?? {};
  const reaction = query["onDrift"] ?? (by === "pages" ? "report" : "heal");
  return isNumbered(facts) && (reaction === "heal" || query["verify"] === true);
}

// Events

function changed({ changes }: Facts, ...kinds: readonly Change["kind"][]): boolean {
  return changes.some(({ kind }) => kinds.includes(kind));
}

// the programs of a history change lists as well

function gained(facts: Facts): boolean {
  return changed(facts, "add") || facts.list?.added === true;
}

function lost(facts: Facts): boolean {
  return changed(facts, "remove") || facts.list?.removed === true;
}

function isQuiet({ changes }: Facts): boolean {
  return changes.length === 0;
}

function met({ faults }: Facts, ...kinds: readonly Fault["kind"][]): boolean {
  return faults.some((fault) => kinds.includes(fault));
}

/** Responses about other data than those of the request. */
const foreign = [
  "other",
  "partial",
  "error-body",
  "html",
  "page",
  "contradict",
  "repeat",
  "mixed",
  "stale",
] as const;

function isAnonymous({ readings, scenario }: Facts): boolean {
  const { anonymous = false, nameless = 0 } = scenario.world;
  if (anonymous || nameless > 0) return true;
  return scenario.api === "store" && readings["protocols.id-property"] === "anonymous";
}

function isAmbiguous(facts: Facts): boolean {
  if (isMethod(facts, "photos.list")) return (facts.scenario.world.nameless ?? 0) > 0;
  return isMethod(facts, "protocols.list", "stores.list") && isAnonymous(facts);
}

/** Equal protocols have one ID. */
function hasOneForTwo({ scenario, readings }: Facts): boolean {
  return scenario.client.identify !== undefined || readings["protocols.equal-summaries"] === "one";
}

/** A page of stores without external ID has the cursor of the page before. */
function repeatsCursors({ step, readings, scenario: { world } }: Facts): boolean {
  return (
    readings["stores.null-cursor"] === "last-not-null" && world.unnamed >= Number(limitOf({ step }) ?? 100)
  );
}

function hasPairs({ scenario: { world } }: Facts): boolean {
  return world.pairs || world.spacing < 1 || world.coarse !== undefined;
}

function isImprecise({ scenario: { world, client } }: Facts): boolean {
  return (world.precision ?? 0) > assumedPrecision(client);
}

/** The time by which a client lets two windows overlap, in ms. */
export function overlapOf({ precision }: ClientSetup): number {
  return { millisecond: 1, minute: 60_000, none: 1000 }[precision ?? "none"];
}

/** The precision with which a client assumes that the service compares times, in ms. */
function assumedPrecision({ precision }: ClientSetup): number {
  return precision === "minute" ? 60_000 : 1000;
}

/** The protocols within the time by which two windows overlap. */
function crowd({ scenario: { world, client } }: Facts): number {
  const { pairs, together = pairs ? 2 : 1, spacing } = world;
  const near = spacing === 0 ? Infinity : (2 * overlapOf(client)) / spacing + 1;
  return Math.min(world.protocols, near * together);
}

/** The strategy of the client does not fit the service. */
function hasWrongStrategy(facts: Facts): boolean {
  const { strategy } = facts.scenario.client;
  if (!isMethod(facts, "protocols.list")) return false;
  return (
    strategy === "single" || (strategy === "cursor" && facts.readings["protocols.next-page"] !== "cursor")
  );
}

function readsWindows(facts: Facts): boolean {
  const { strategy } = facts.scenario.client;
  const isFallback = facts.readings["protocols.next-page"] !== "cursor" && strategy !== "cursor";
  return isMethod(facts, "protocols.list") && (isFallback || strategy === "window");
}

/** A deletion while the service passes over stores without external ID. */
function isSkipped(facts: Facts): boolean {
  const { readings, scenario } = facts;
  return (
    changed(facts, "remove", "swap") &&
    scenario.world.unnamed > 0 &&
    readings["stores.null-cursor"] !== "last-page" &&
    readings["stores.unknown-cursor"] === "next-greater"
  );
}

function isTorn(facts: Facts): boolean {
  return (
    pullOf(facts)?.runs.some(({ kill }) => kill?.saved === "state") === true ||
    mirrorOf(facts)?.runs.some(({ kill }) => kill?.saved === "unmarked") === true
  );
}

function goesBack(facts: Facts): boolean {
  const { runs = [], lateness = 0 } = pullOf(facts) ?? {};
  return runs.some(({ until }, at) => runs.slice(0, at).some((run) => run.until > until + lateness));
}

function isLate(facts: Facts): boolean {
  return (pullOf(facts)?.lateness ?? Infinity) < 3_600_000;
}

/** A token has the last cursors of a walk, and one before them: longer walks notice a repeated page later. */
const rememberedPages = 64;

const lists: Readonly<Record<string, Row>> = {
  "L-1": {
    applies: isWalk,
    holds: (facts) =>
      !met(facts, "repeat", "mixed", "page", "stale", "no-items") &&
      walkOf(facts)?.query["maxIdleRequests"] === undefined &&
      !repeatsCursors(facts),
    // a page of another list than the one that was read before
    isSilent: (facts) =>
      met(facts, "no-items") ||
      (isAmbiguous(facts) && met(facts, "mixed")) ||
      (isCursor(facts) &&
        (!isQuiet(facts) ||
          (facts.list?.size ?? 0) > rememberedPages ||
          walkOf(facts)?.query["cursor"] !== undefined ||
          walkOf(facts)?.awaited === "again") &&
        met(facts, "repeat", "mixed", "page", "stale")),
  },
  "L-2": {
    applies: (facts) => walkOf(facts)?.by === "array",
    holds: (facts) => walkOf(facts)?.max === undefined,
  },
  "L-3": {
    applies: (facts) => walkOf(facts)?.kills !== undefined,
    holds: (facts) => walkOf(facts)?.elsewhere !== true,
  },
  "L-4": {
    applies: (facts) => isProtocols(facts) || isStores(facts),
    holds: (facts) =>
      isStores(facts) ? facts.scenario.world.twins !== true : !(hasOneForTwo(facts) && hasPairs(facts)),
    isSilent: always,
  },
  "L-5": {
    applies: (facts) => walkOf(facts)?.kills !== undefined,
    holds: (facts) => {
      const { changed: other, otherPath, isTampered } = walkOf(facts) ?? {};
      return [other, otherPath, isTampered].every((wrong) => wrong === undefined);
    },
  },
  "L-6": { applies: isHealed, holds: (facts) => !changed(facts, "remove", "swap", "move") },
  "L-7": {
    applies: isNumbered,
    holds: (facts) => isQuiet(facts) && !met(facts, "contradict"),
    // the filters of another walk
    isSilent: ({ readings, scenario }) =>
      readings["lists.filters-across-pages"] === "remembered" && scenario.programs.length > 1,
  },
  "L-8": {
    applies: (facts) => isNumbered(facts) && !isVerified(facts),
    holds: (facts) => !changed(facts, "swap", "move") && !(gained(facts) && lost(facts)),
    isSilent: always,
  },
  "L-9": {
    applies: isVerified,
    // an old page of a list that changed makes two passes equal that both lack an entry
    holds: (facts) => facts.changes.length < 2 && !(facts.changes.length === 1 && met(facts, "stale")),
    isSilent: always,
  },
  "L-10": { applies: isHealed, holds: (facts) => !isAnonymous(facts) },
  "L-11": {
    applies: (facts) => isNumbered(facts) && facts.readings["lists.undocumented"] === "whole",
    // a list that is as long as a page may be cut
    holds: (facts) =>
      facts.scenario.world.cap === undefined && facts.list?.size !== Number(limitOf(facts) ?? 50),
    isSilent: ({ scenario: { world }, ...facts }) => world.cap !== undefined && world.cap !== limitOf(facts),
  },
  "L-12": {
    applies: (facts) => walkOf(facts)?.query["page"] !== undefined,
    holds: (facts) => !changed(facts, "remove", "swap", "move") && !beginsBehind(facts),
    isSilent: always,
  },
  "L-13": { applies: isCursor, holds: (facts) => !isAmbiguous(facts) },
  "L-14": {
    applies: (facts) => isCursor(facts) && !isVerified(facts),
    holds: (facts) => !changed(facts, "move", "rename"),
    isSilent: always,
  },
  "L-15": {
    applies: (facts) => isCursor(facts) && !isVerified(facts),
    holds: (facts) => facts.scenario.world.offsets !== true || !changed(facts, "remove", "swap", "move"),
    isSilent: always,
  },
  "L-16": {
    applies: isStores,
    holds: (facts) => !changed(facts, "remove", "swap", "rename", "move"),
    isSilent: isSkipped,
  },
  "L-17": {
    applies: (facts) => isStores(facts) && facts.scenario.world.unnamed > 0,
    // a page may be as long as the largest one, and so may the same page with another limit
    holds: ({ readings, scenario: { world } }) =>
      (readings["stores.null-cursor"] !== "null-early" || world.cap === undefined) &&
      world.entities + world.unnamed < 99,
    isSilent: ({ scenario }) => scenario.world.cap !== undefined,
  },
  "L-18": {
    applies: isProtocols,
    holds: (facts) =>
      !hasWrongStrategy(facts) && (facts.readings["protocols.next-page"] === "cursor" || !isAmbiguous(facts)),
  },
  "L-19": {
    applies: readsWindows,
    holds: (facts) => !isImprecise(facts),
    isSilent: always,
  },
  "L-20": {
    applies: readsWindows,
    holds: (facts) => crowd(facts) <= Number(limitOf(facts) ?? 100),
  },
};

/** The walk begins behind the last page. */
function beginsBehind(facts: Facts): boolean {
  const page = Number(walkOf(facts)?.query["page"] ?? 1);
  if (page > 1 && facts.readings["lists.undocumented"] === "whole") return true; // it has one page
  return (page - 1) * Number(limitOf(facts) ?? 50) >= Math.max(1, facts.list?.size ?? 0);
}

function limitOf(facts: Pick<Facts, "step">): unknown {
  return pullOf(facts)?.limit ?? walkOf(facts)?.query["limit"];
}

/** A list lacks an element, or has one more, for this program or another one. */
function hasIncompleteList({ scenario }: Facts): boolean {
  return Object.values(scenario.faults).some(({ kind }) => ["twice", "copied", "no-items"].includes(kind));
}

const writes: Readonly<Record<string, Row>> = {
  "W-1": {
    applies: isWrite,
    holds: (facts) => !met(facts, ...foreign) && !hasIncompleteList(facts),
    // lists that lack an element or have one more, also those that another program writes back, and the contract allows an
    // external ID that is null
    isSilent: (facts) =>
      hasIncompleteList(facts) || (met(facts, "other") && !isMethod(facts, "stores.modify")),
  },
  "W-2": { applies: isWrite, holds: isQuiet, isSilent: always },
  "W-3": {
    applies: isChange,
    holds: ({ scenario }) => !scenario.programs.flat().some(({ method }) => method === "stores.upsert"),
    isSilent: always,
  },
  "W-4": {
    applies: isWrite,
    holds: (facts) => !met(facts, "unstored"),
    isSilent: always,
  },
  "W-5": { applies: isWrite, holds: (facts) => !met(facts, "stale"), isSilent: always },
  "W-6": {
    applies: (facts) => isMethod(facts, "applyPlan"),
    holds: ({ step }) => step.do !== "plan" || step.source === undefined,
  },
  "W-7": { applies: isWrite, holds: (facts) => writeOf(facts)?.isUpper !== true },
  "W-8": {
    applies: (facts) => isMethod(facts, "upsertExpositions"),
    holds: ({ readings }) =>
      ["always-new", "label-and-type"].includes(readings["expositions.matching"] ?? ""),
  },
  "W-9": {
    applies: (facts) => writeOf(facts)?.absent === "keep",
    holds: ({ readings }) => readings["expositions.absent"] === "keep",
  },
  "W-10": {
    applies: (facts) => isMethod(facts, "ensure"),
    holds: (facts) => !changed(facts, "add") && !facts.scenario.world.twins,
  },
  "W-12": { applies: isWrite, holds: ({ isGateway }) => !isGateway },
  "W-11": {
    applies: isChange,
    holds: ({ step }) => !JSON.stringify(step).includes("[".repeat(500)),
  },
};

const pulls: Readonly<Record<string, Row>> = {
  "P-1": {
    applies: isPull,
    holds: (facts) => !changed(facts, "add") || !isLate(facts),
    isSilent: always,
  },
  "P-2": {
    applies: isPull,
    holds: (facts) => !((isAmbiguous(facts) || hasOneForTwo(facts)) && hasPairs(facts)),
    isSilent: always,
  },
  "P-3": { applies: isPull, holds: (facts) => !isTorn(facts), isSilent: always },
  "P-4": {
    applies: isPull,
    holds: (facts) =>
      !goesBack(facts) && (facts.scenario.world.date ?? Infinity) > (pullOf(facts)?.since ?? -Infinity),
    isSilent: always,
  },
  "P-5": { applies: isPull, holds: (facts) => !isImprecise(facts), isSilent: always },
  "P-6": {
    applies: isPull,
    holds: (facts) =>
      pullOf(facts)?.runs.every(
        ({ other, isTampered }) => other === undefined && isTampered === undefined,
      ) === true,
  },
  "P-7": {
    applies: isPull,
    holds: (facts) => !changed(facts, "touch", "move"),
    isSilent: isLate,
  },
  "P-8": {
    applies: isPull,
    // an item without ID is known by its whole content
    holds: (facts) =>
      facts.scenario.world.signed !== true || (pullOf(facts)?.hasFingerprint === true && !isAnonymous(facts)),
    isSilent: always,
  },
  "P-9": {
    applies: isPull,
    holds: (facts) =>
      isQuiet(facts) &&
      !met(facts, "repeat", "mixed", "page", "stale") &&
      pullOf(facts)?.query?.["maxIdleRequests"] === undefined &&
      !isAmbiguous(facts) &&
      !hasWrongStrategy(facts) &&
      !(readsWindows(facts) && crowd(facts) > Number(limitOf(facts) ?? 100)),
    isSilent: (facts) =>
      met(facts, "stale") ||
      changed(facts, "remove", "swap", "move") ||
      (isAmbiguous(facts) && met(facts, "mixed")),
  },
};

const mirrors: Readonly<Record<string, Row>> = {
  "M-1": { applies: isMirror, holds: (facts) => !isAnonymous(facts) },
  "M-2": { applies: isMirror, holds: (facts) => !isTorn(facts), isSilent: always },
  "M-3": {
    applies: isMirror,
    holds: (facts) => isQuiet(facts) && !met(facts, "repeat", "mixed", "page", "stale", "contradict"),
    isSilent: (facts) =>
      changed(facts, "swap", "move", "rename") || facts.changes.length > 1 || met(facts, "stale"),
  },
  "M-4": {
    applies: isMirror,
    holds: (facts) =>
      mirrorOf(facts)?.runs.every(({ gone = 0 }) => gone * 2 <= facts.scenario.world.entities) === true,
  },
  "M-5": {
    applies: isMirror,
    holds: (facts) => mirrorOf(facts)?.runs.every(({ other }) => other !== true) === true,
  },
  "M-6": {
    applies: isMirror,
    holds: (facts) => mirrorOf(facts)?.runs.every(({ details }) => details !== true) === true,
    isSilent: always,
  },
  "M-7": {
    applies: isMirror,
    holds: (facts) => mirrorOf(facts)?.runs.every(({ twice }) => twice !== true) === true,
    isSilent: always,
  },
};

export const rows: Readonly<Record<string, Row>> = { ...lists, ...writes, ...pulls, ...mirrors };
