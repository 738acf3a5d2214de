/** Makes one call of a program and checks how it ends. */
import { isDeepStrictEqual } from "node:util";
import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  ShelfleetError,
  UnexpectedResponseError,
} from "../../src/index.ts";
import { ProgramError, type SimulatedWorld } from "./client.ts";
import { callHeader, type CallRecord, type Observer, origins } from "./observer.ts";
import type { CallStep, CrowdStep, Fault, Json, JsonObject, Scenario } from "./scenario.ts";
import { isRepeatable, isWrite } from "./write-rules.ts";

type Method = (...args: readonly unknown[]) => Promise<unknown>;
type Resources = Readonly<Record<string, Readonly<Record<string, Method>>>>;

/** The end of a call or a walk. */
export type Ending = { readonly value: unknown } | { readonly error: unknown };

/** An abort that the program makes, and when it made it. */
export interface PlannedAbort {
  /** A program that never aborts may give no signal. */
  readonly signal: AbortSignal | undefined;
  /** When the program aborts; undefined until then. */
  at: number | undefined;
}

export function planAbort(
  { clock, signals, scenario }: SimulatedWorld,
  delay: number | undefined,
): PlannedAbort {
  if (delay === undefined && scenario.client.hooks === undefined) return { signal: undefined, at: undefined };
  const controller = new AbortController();
  signals.push(controller.signal);
  const planned: PlannedAbort = { signal: controller.signal, at: undefined };
  const abort = (): void => {
    planned.at = clock.now;
    controller.abort(new ProgramError("the program gave up"));
  };
  if (delay !== undefined) clock.after(delay, abort);
  return planned;
}

export async function runCall(
  world: SimulatedWorld,
  client: object,
  step: CallStep,
  name: string,
): Promise<void> {
  await makeCall(world, client, step, name, planAbort(world, step.abort));
}

/** Calls at the same time all succeed, as fast as the service accepts them, and with few refusals. */
export async function runCrowd(
  world: SimulatedWorld,
  client: object,
  { method, calls, duration, refusals }: CrowdStep,
  name: string,
): Promise<void> {
  const { observer, clock, service } = world;
  const step = service.resolve<CallStep>({ do: "call", method, args: ["$vehicles.0"] });
  const start = clock.now;
  const abort = planAbort(world, undefined);
  const endings = await Promise.all(
    Array.from({ length: calls }, (_, index) => makeCall(world, client, step, `${name}-${index}`, abort)),
  );
  const failed = endings.filter((ending) => "error" in ending).length;
  if (failed > 0) observer.violate(`${name} has ${failed} failed calls`);
  const own = observer.exchanges.filter(({ call }) => call.startsWith(`${name}-`));
  const refused = own.filter(({ served }) => served === 429).length;
  const [least, most] = duration;
  const time = clock.now - start;
  if (time < least || time > most) observer.violate(`${name} took ${time} ms, expected ${least} to ${most}`);
  if (refusals !== undefined && refused !== refusals)
    observer.violate(`${name} has ${refused} refusals, expected ${refusals}`);
}

/** A drained client has no request open, and sends no other. */
export async function runDrain({ observer }: SimulatedWorld, client: object): Promise<void> {
  await (client as { drain(): Promise<void> }).drain();
  observer.drainedAt ??= observer.exchanges.length;
  const open = observer.leftOpen().length;
  if (open > 0) observer.violate(`a drained client has ${open} open requests`);
}

/** Makes a call, checks how it ends, and returns it. */
export async function makeCall(
  world: SimulatedWorld,
  client: object,
  step: CallStep,
  name: string,
  abort: PlannedAbort,
): Promise<Ending> {
  const { observer } = world;
  const readingOf = (gap: string): string | undefined =>
    world.scenario.client.configuredGaps.includes(gap) ? world.service.readings[gap] : undefined;
  const repeatable = !isWrite(step) || isRepeatable(step, readingOf);
  const changes = step.change && `${step.method} ${JSON.stringify(step.args[0])}`;
  const record = observer.start(name, { repeatable, parallel: 1, isWalk: false, changes });
  const ending = await endOf(send(client, step, name, abort.signal, world));
  observer.finish(record);
  checkTime(world, record, step, abort);
  if ("error" in ending) checkFailure(world, record, step, ending.error);
  else checkSuccess(world, record, step, ending.value);
  return ending;
}

/** Writes the result of a step, or its error, to the trace. */
export function logEnding(observer: Observer, name: string, ending: Partial<Ending>): void {
  const error = "error" in ending ? String(ending.error) : "";
  observer.log(`${name} ends: ${error} ${JSON.stringify(ending)}`);
}

/** The value or the error with which a promise ends. */
export async function endOf(call: Promise<unknown>): Promise<Ending> {
  try {
    return { value: await call };
  } catch (error) {
    return { error };
  }
}

async function send(
  client: object,
  { method, args, change }: CallStep,
  name: string,
  signal: AbortSignal | undefined,
  world: SimulatedWorld,
): Promise<unknown> {
  const { scenario } = world;
  const headers = { [callHeader]: name };
  if (method === "fetch") {
    const [verb, path, given, redirect = "follow"] = args as readonly [
      string,
      string,
      Json?,
      RequestRedirect?,
    ];
    const body = given ?? undefined;
    const { fetch } = client as { fetch: (url: string, init: RequestInit) => Promise<Response> };
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const init = { method: verb, headers: { ...headers, ...type }, signal: signal ?? null, redirect };
    const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) };
    const response = await fetch(origins[scenario.api] + path, sent);
    const { url, status, statusText, redirected, type: kind } = response;
    world.observer.log(JSON.stringify([url, status, statusText, redirected, kind, ...response.headers]));
    return responseOf(response);
  }
  const [resource = "", verb = ""] = method.split(".");
  const target = (client as Resources)[resource]; // both clients are made of resources with methods
  const run = target?.[verb];
  if (run === undefined) throw new Error(`There is no method ${method}`);
  const functions = change === undefined ? [] : [changeWith(change)];
  const call = run.call(target, ...args, ...functions, { headers, signal });
  const value = scenario.client.hooks === undefined ? await readWithResponse(world, call, name) : await call;
  return isList(method) ? (value as { raw: unknown }).raw : value; // a list that is awaited gives its first page
}

/** The result of a call, with the response that it came in. */
export async function readWithResponse(
  { observer, scenario }: SimulatedWorld,
  call: unknown,
  name: string,
): Promise<unknown> {
  const { withResponse } = call as { readonly withResponse?: () => Promise<DataWithResponse> };
  if (withResponse === undefined) return call;
  const { data, response, requestId, meta } = await withResponse.call(call);
  const exchange = observer.exchanges.find((one) => one.requestId === requestId);
  const body = /^\d+ \w+ (.*)$/s.exec(exchange?.response ?? "")?.[1] ?? "";
  const isSame = exchange?.call === name && exchange.status === response.status;
  observer.log(`${name} ${requestId} ${response.status} ${JSON.stringify([...response.headers])}`);
  if (!isSame) observer.violate(`${name} has the response ${response.status} ${requestId}`);
  const expected =
    scenario.api === "fleet" && body !== "" ? (JSON.parse(body) as JsonObject)["meta"] : undefined;
  const isMeta = isDeepStrictEqual(meta, expected) || observer.isGarbled;
  if (!isMeta) observer.violate(`${name} has other \`meta\` than its response`);
  return data;
}

interface DataWithResponse {
  readonly data: unknown;
  readonly response: Response;
  readonly requestId: string | undefined;
  readonly meta?: unknown;
}

function isList(method: string): boolean {
  return /\.list/.test(method);
}

/** The function that `modify` takes. */
function changeWith(change: JsonObject): (before: object) => object {
  return (before) => (Array.isArray(before) ? [...(before as unknown[]), change] : { ...before, ...change });
}

/** The result that a program reads from a platform response. An error status does not throw. */
async function responseOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return response.ok ? { raw: text } : { status: response.status, text };
}

function checkTime(
  { observer, clock, scenario }: SimulatedWorld,
  record: CallRecord,
  step: CallStep,
  abort: PlannedAbort,
): void {
  // `modify` makes two requests, and so may the end of a list; each has the whole of `totalTimeout`
  const requests = step.change === undefined && !isList(step.method) ? 1 : 2;
  const totalTimeout = (scenario.client.totalTimeout ?? Infinity) * requests;
  const duration = clock.now - observer.readyAt(record);
  observer.note(`end ${record.name}`);
  if (duration > totalTimeout + 1)
    observer.violate(`${record.name} took ${duration} ms, its deadline is ${totalTimeout}`);
  if (abort.at !== undefined && clock.now > abort.at)
    observer.violate(`${record.name} ended ${clock.now - abort.at} ms after its abort`);
}

function checkSuccess(
  { observer, service, scenario }: SimulatedWorld,
  { name, body, repeatable }: CallRecord,
  step: CallStep,
  value: unknown,
): void {
  if (isRawError(value)) return;
  if (isRaw(value)) return checkText(observer, name, body, value.raw);
  checkDamage(observer, name);
  const applied = service.applications.filter(({ call }) => call === name);
  const isDelete = step.method.endsWith(".delete") || step.method.endsWith(".release");
  const isLost = observer.exchanges.some(
    ({ call, fault }) => call === name && lostWrites.has(fault?.kind ?? ""),
  );
  if (
    isWrite(step) &&
    applied.length === 0 &&
    !isLost &&
    !(isDelete && service.readings["fleet.second-delete"] === "repeatable")
  )
    observer.violate(`${name} ${step.method} succeeded and was not applied`);
  if (applied.length > 1 && !repeatable) observer.violate(`${name} ${step.method} was applied twice`);
  if (step.change !== undefined && !JSON.stringify(value).includes(JSON.stringify(step.change["name"])))
    observer.violate(`${name} ${step.method} resolved without its change`);
  const { maxResponseBytes = Infinity } = scenario.client;
  if (body !== undefined && body.length > maxResponseBytes)
    observer.violate(`${name} resolved with ${body.length} bytes, at most ${maxResponseBytes} are wanted`);
  const expected = dataOf(body, isList(step.method) ? "store" : scenario.api, isDelete);
  if (!isDeepStrictEqual(value, expected))
    observer.violate(`${name} ${step.method} resolved with something other than its response`);
}

/** A service that breaks its contract: a call has no way to know. */
const lostWrites: ReadonlySet<string> = new Set(["unstored", "error-body"]);

/** `fetch` gives every body as it came. */
function checkText(observer: Observer, name: string, body: Uint8Array | undefined, text: string): void {
  if (text !== new TextDecoder().decode(body))
    observer.violate(`${name} resolved with something other than its response`);
}

function isRaw(value: unknown): value is { raw: string } {
  return typeof value === "object" && value !== null && "raw" in value;
}

function isRawError(value: unknown): boolean {
  return typeof value === "object" && value !== null && "status" in value && "text" in value;
}

/** The value with which a call must resolve: the response, or the data of its envelope. */
function dataOf(body: Uint8Array | undefined, api: "store" | "fleet", isDelete: boolean): unknown {
  const text = new TextDecoder().decode(body);
  if (text === "") return isDelete ? null : undefined;
  const json = JSON.parse(text) as Readonly<Record<string, unknown>>; // the client has parsed it as well
  return api === "fleet" ? json["data"] : json;
}

function checkFailure(
  world: SimulatedWorld,
  { name, sent }: CallRecord,
  step: CallStep,
  error: unknown,
): void {
  const { observer, service } = world;
  const { method } = step;
  checkError(world, name, error);
  checkMoved(observer, name, error);
  const isApplied = service.applications.some(({ call }) => call === name);
  if (error instanceof InvalidRequestError && sent > 0 && !observer.isGarbled)
    observer.violate(`${name} was sent and refused as invalid`);
  if (!(error instanceof ApiError) || !isApplied) return;
  // a DELETE can be sent again
  const isDefinite = error.status === 404 || (error.status === 400 && error.method !== "DELETE");
  const isStated = error.attempts > 1 && /sent \d+ times/.test(error.message);
  if (isDefinite && !isStated)
    observer.violate(`${name} ${method} was applied and rejected with ${error.message}`);
}

/** A read follows the redirects that it may follow. */
function checkMoved(observer: Observer, name: string, error: unknown): void {
  const isMoved = observer.exchanges.some(
    ({ call, fault }) => call === name && fault?.kind === "redirect" && fault.isForbidden !== true,
  );
  if (!isMoved || !(error instanceof UnexpectedResponseError) || error.method !== "GET") return;
  if (error.status > 299 || error.status === 0)
    observer.violate(`${name} does not follow a redirect: ${error.message}`);
}

/** Whether an error is of a kind that a program may see, and shows no token. */
export function checkError(
  { observer, secrets, scenario }: SimulatedWorld,
  name: string,
  error: unknown,
): void {
  observer.note(`${name} rejected: ${String(error)}`);
  observer.log(JSON.stringify(error));
  secrets.value(`the error of ${name}`, error);
  const { token } = scenario.client;
  const isVault = token === "leaky" && error instanceof Error && error.message.startsWith("vault failed");
  const isDrained =
    scenario.programs.flat().some((step) => step.do === "drain") &&
    error instanceof DOMException &&
    /drained/.test(error.message);
  const isOwn = error instanceof ProgramError || isVault || isDrained;
  if (!isOwn && !(error instanceof ShelfleetError))
    observer.violate(`${name} rejected with ${String(error)}`);
  checkReason(observer, name, error, scenario);
  checkMessage(observer, name, error);
  if (error instanceof UnexpectedResponseError && error.status < 300) checkRejection(observer, name, error);
  if (error instanceof ConfigurationError && token !== "switched" && !observer.isGarbled)
    observer.violate(`${name} rejected with ${String(error)}`);
}

/** A call or walk that succeeds has used no response in which a property that clients read has another type. */
export function checkDamage(observer: Observer, name: string): void {
  for (const { call, fault, isDamaged } of observer.exchanges)
    if (call === name && isDamaged && fault?.kind === "wrong" && isNoticed(fault, observer.isStrict))
      observer.violate(`${name} accepts a response with a wrong ${fault.property}: ${fault.json}`);
}

/** A walk does not end with an error because of a response that is right. */
export function checkRight(observer: Observer, name: string, { message }: Error): void {
  for (const { call, fault, isDamaged } of observer.exchanges)
    if (call === name && isDamaged && fault?.kind === "wrong" && !isNoticed(fault, observer.isStrict))
      observer.violate(`${name} rejects a right response: ${message}`);
}

function isNoticed({ noticed }: Extract<Fault, { kind: "wrong" }>, isStrict: boolean): boolean {
  return noticed === undefined || (noticed === "full" && isStrict);
}

/** A response is rejected only for a reason, which the error gives. */
function checkRejection(
  observer: Observer,
  name: string,
  { message, requestId }: UnexpectedResponseError,
): void {
  if (message.includes("maxResponseBytes")) return;
  for (const { call, fault, isDamaged, requestId: own } of observer.exchanges) {
    if (call !== name || fault?.kind !== "wrong" || !isDamaged || requestId !== own) continue;
    const { noticed, says = "" } = fault;
    if (noticed !== undefined && !isNoticed(fault, observer.isStrict))
      observer.violate(`${name} rejects a right response: ${message}`);
    else if (
      !message.includes(says) &&
      !(observer.isStrict && /does not fit the contract|cannot hold exactly/.test(message))
    )
      observer.violate(`${name} does not say "${says}": ${message}`);
  }
}

/** Whether an error says what was refused, and why. */
export function checkMessage(observer: Observer, name: string, error: unknown): void {
  if (!(error instanceof ShelfleetError) || observer.isGarbled) return;
  const { issues = [] } = error as { issues?: readonly { path: string; message: string }[] };
  const texts = [error.message, ...issues.map(({ message }) => message)];
  if (texts.some((text) => !/^[^\s:].*[^\s:]$/s.test(text) || /(?<!it is )undefined|: :|: *$/.test(text)))
    observer.violate(`${name} rejected with an incomplete message: ${texts.join(" | ")}`);
  const isListed = issues
    .slice(0, 5) // the message names as many
    .every(({ path, message }) => error.message.includes(path === "" ? message : `${path}: ${message}`));
  if (!isListed) observer.violate(`${name} rejected without its issues: ${JSON.stringify([texts, issues])}`);
}

/** Whether an error has a reason: a client that fails for none would break no other rule. */
function checkReason(observer: Observer, name: string, error: unknown, { client, programs }: Scenario): void {
  const isFaulty = observer.exchanges.some(({ call, fault }) => call === name && fault !== undefined);
  if (error instanceof ConnectionError && !isFaulty)
    observer.violate(`${name} rejected with a ConnectionError, and no connection failed`);
  const isAgain =
    programs.length === 1 && client.token === "stuck" && !name.endsWith("-0-0") && observer.calls.size > 1;
  const hasNothing = observer.exchanges.length === 0 && !(error instanceof ProgramError);
  if (isAgain && hasNothing) observer.violate(`${name} waits for a token function that was given up`);
  const isRefused = error instanceof ApiError && error.status === 401 && client.token !== "fixed";
  // after a false 401 the function returns the same token again
  const isFalse = observer.exchanges.some(
    ({ call, fault }) => call === name && fault?.kind === "status" && fault.status === 401,
  );
  const mayEnd = isFalse && (typeof client.token === "number" || client.token === "cached");
  if (isRefused && error.attempts === 1 && !mayEnd)
    observer.violate(`${name} asked for no other token after a 401`);
}
