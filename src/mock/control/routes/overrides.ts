import type {
  Delay,
  FaultKind,
  FaultPlace,
  ForcedOptions,
  ForcedResponse,
  OperationId,
  OperationOverride,
  OtherWrite,
  OverrideMatcher,
  PagingFaultKind,
  ReferenceServer,
} from "../../index.ts";
import { isHeaderName, isHeaderValue } from "../../../wire/header-text.ts";
import { ControlError } from "../control-error.ts";
import {
  type UncheckedObject,
  assertNames,
  integerOf,
  objectOf,
  stringOf,
  propertyError,
} from "../property-checks.ts";
import { type ControlRoute, NO_CONTENT, created, ok } from "../route.ts";

const EFFECTS = ["response", "fault", "delay", "paging", "write"] as const;

const REFINEMENTS = ["times", "rate", "skip"];

const MATCHER_PARTS = ["path", "query", "headers", "body"];

export const overrideRoutes: readonly ControlRoute[] = [
  { method: "GET", path: "overrides", run: ({ ref }) => ok({ overrides: ref.overrides.all() }) },
  {
    method: "POST",
    path: "overrides",
    run: ({ ref, body }) => created(ref.overrides.get(addOverride(ref, body))),
  },
  {
    method: "DELETE",
    path: "overrides",
    run({ ref }) {
      ref.overrides.clear();
      return NO_CONTENT;
    },
  },
  { method: "GET", path: "overrides/{id}", run: ({ ref, params }) => ok(findOverride(ref, params["id"])) },
  {
    method: "DELETE",
    path: "overrides/{id}",
    run({ ref, params }) {
      ref.overrides.remove(findOverride(ref, params["id"]).id);
      return NO_CONTENT;
    },
  },
  {
    method: "POST",
    path: "faults",
    run({ ref, body }) {
      addFault(ref, body);
      return NO_CONTENT;
    },
  },
];

function findOverride(ref: ReferenceServer, id = ""): { readonly id: number } {
  const found = /^[1-9]\d{0,14}$/.test(id) ? ref.overrides.get(Number(id)) : undefined;
  if (found !== undefined) return found;
  throw new ControlError(404, `No override with the ID "${id.slice(0, 40)}" is in force`);
}

/** Declares an override and returns its ID. Nothing is declared if a property is invalid. */
function addOverride(ref: ReferenceServer, body: UncheckedObject): number {
  assertNames(body, ["operation", "matcher", ...EFFECTS, "at", ...REFINEMENTS]);
  const given = EFFECTS.filter((name) => body[name] !== undefined);
  if (given.length !== 1) throw new Error(`the body must have exactly one of ${EFFECTS.join(", ")}`);
  if (body.at !== undefined && body.fault === undefined && body.response === undefined)
    throw new Error('"at" belongs to a fault or a response');
  const override = ref.on(operationOf(body), matcherOf(body));
  try {
    applyEffect(override, body);
    refine(override, body);
  } catch (error) {
    override.remove();
    throw error;
  }
  return override.ids[0] as number; // one effect was declared
}

function operationOf({ operation }: UncheckedObject): OperationId | "*" {
  return stringOf(operation, "operation") as OperationId | "*"; // the reference server rejects unknown ones
}

function matcherOf({ matcher }: UncheckedObject): OverrideMatcher | undefined {
  if (matcher === undefined) return undefined;
  const parts = objectOf(matcher, "matcher");
  assertNames(parts, MATCHER_PARTS, "matcher");
  return parts; // the reference server checks the parts
}

function applyEffect(
  override: OperationOverride,
  { response, fault, at, delay, paging, write }: UncheckedObject,
): void {
  if (response !== undefined) override.always(responseOf(response), timeOf(at));
  else if (write !== undefined)
    override.write(objectOf(write, "write") as unknown as OtherWrite); // it checks the parts
  else if (fault !== undefined) override.fault(...faultOf(fault, at));
  else if (paging !== undefined) override.paging(stringOf(paging, "paging") as PagingFaultKind);
  else override.delay(delay as Delay); // the reference server checks its form
}

/** The reference server rejects an unknown time. */
function timeOf(at: unknown): ForcedOptions {
  return at === undefined ? {} : { at: stringOf(at, "at") as "before" | "after" };
}

/** The reference server rejects unknown faults and places. */
function faultOf(fault: unknown, at: unknown): [FaultKind, { at?: FaultPlace }] {
  const kind = stringOf(fault, "fault") as FaultKind;
  return [kind, at === undefined ? {} : { at: stringOf(at, "at") as FaultPlace }];
}

function responseOf(value: unknown): ForcedResponse {
  const response = objectOf(value, "response");
  assertNames(response, ["status", "body", "headers"], "response");
  for (const [name, text] of Object.entries(objectOf(response.headers ?? {}, "response.headers"))) {
    if (!isHeaderName(name))
      throw new Error(`response.headers: ${JSON.stringify(name)} is not the name of a header`);
    if (!isHeaderValue(stringOf(text, `response.headers.${name}`)))
      throw new Error(`"response.headers.${name}" must be text that a header can carry`);
  }
  return response; // the reference server checks the status
}

function refine(override: OperationOverride, { times, rate, skip }: UncheckedObject): void {
  if (skip !== undefined) override.skip(integerOf(skip, "skip", 0));
  if (rate !== undefined) override.rate(rateOf(rate));
  if (times !== undefined) override.times(integerOf(times, "times", 1));
}

function rateOf(rate: unknown): number {
  if (typeof rate === "number" && rate >= 0 && rate <= 1) return rate;
  throw propertyError("rate", "a number from 0 to 1", rate);
}

/** The short form of an override: a status or a fault. */
function addFault(ref: ReferenceServer, body: UncheckedObject): void {
  assertNames(body, ["operation", "status", "fault", "at", "times"]);
  const { status, ...others } = body;
  if ((status === undefined) === (body.fault === undefined))
    throw new Error('the body must have either "status" or "fault"');
  addOverride(ref, status === undefined ? others : { ...others, response: { status } });
}
