import type {
  Delay,
  FaultKind,
  ForcedResponse,
  OperationId,
  OperationOverride,
  OtherWrite,
  OverrideMatcher,
  PagingFaultKind,
  PendingOverride,
  ReferenceServer,
} from "../../index.ts";
import { isHeaderName, isHeaderValue } from "../../../wire/header-text.ts";
import {
  assertNames,
  ControlError,
  type ControlRoutes,
  Created,
  objectOf,
  stringOf,
  type UncheckedObject,
} from "../route.ts";

const EFFECTS = ["response", "fault", "delay", "paging", "write"] as const;

const REFINEMENTS = ["times", "rate", "skip"];

const MATCHER_PARTS = ["path", "query", "headers", "body"];

export const overrideRoutes: ControlRoutes = {
  "GET /overrides": ({ ref }) => ({ overrides: ref.overrides.all() }),
  "POST /overrides": ({ ref, body }) => new Created(addOverride(ref, body)),
  "DELETE /overrides": ({ ref }) => ref.overrides.clear(),
  "GET /overrides/{id}": ({ ref, params }) => findOverride(ref, params["id"]),
  "DELETE /overrides/{id}": ({ ref, params }) => {
    ref.overrides.remove(findOverride(ref, params["id"]).id);
  },
};

function findOverride(ref: ReferenceServer, id = ""): { readonly id: number } {
  const found = /^[1-9]\d{0,14}$/.test(id) ? ref.overrides.get(Number(id)) : undefined;
  if (found !== undefined) return found;
  throw new ControlError(404, `No override with the ID "${id.slice(0, 40)}" is in force`);
}

/** Declares an override and returns it. Nothing is declared if a property is invalid. */
function addOverride(ref: ReferenceServer, body: UncheckedObject): PendingOverride | undefined {
  assertNames(body, ["operation", "matcher", ...EFFECTS, "at", ...REFINEMENTS]);
  const given = EFFECTS.filter((name) => body[name] !== undefined);
  if (given.length !== 1) throw new Error(`the body must have exactly one of ${EFFECTS.join(", ")}`);
  if (body.at !== undefined && body.fault === undefined && body.response === undefined)
    throw new Error('"at" belongs to a fault or a response');
  const override = ref.on(operationOf(body), matcherOf(body));
  try {
    applyEffect(override, body);
  } catch (error) {
    override.remove();
    throw error;
  }
  return override.ids.map((id) => ref.overrides.get(id)).at(0);
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

/** The properties of a body that the methods of an override take. */
interface GivenOverride {
  readonly response?: unknown;
  readonly write?: OtherWrite;
  readonly fault?: FaultKind;
  readonly at?: "before" | "after";
  readonly paging?: PagingFaultKind;
  readonly delay: Delay;
  readonly times?: number;
  readonly rate?: number;
  readonly skip?: number;
}

/** Declares the effect. The reference server checks the values, so that only the kind of each is checked here. */
function applyEffect(override: OperationOverride, body: UncheckedObject): void {
  for (const name of ["fault", "at", "paging"]) if (body[name] !== undefined) stringOf(body[name], name);
  if (body.write !== undefined) objectOf(body.write, "write");
  const unchecked: object = body;
  const given = unchecked as GivenOverride; // the override checks each value
  const { response, write, fault, at, paging, times, rate, skip } = given;
  const place = at === undefined ? {} : { at };
  if (response !== undefined) override.always(responseOf(response), place);
  else if (write !== undefined) override.write(write);
  else if (fault !== undefined) override.fault(fault, place);
  else if (paging !== undefined) override.paging(paging);
  else override.delay(given.delay);
  if (skip !== undefined) override.skip(skip);
  if (rate !== undefined) override.rate(rate);
  if (times !== undefined) override.times(times);
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
