import { ConfigurationError } from "../errors/errors.ts";
import { checkNames } from "../errors/unknown-name.ts";
import type { CursorList, PageList } from "../pagination/list.ts";
import { isInteger, isObject } from "../../../wire/json.ts";
import { MirrorRun } from "./mirror-run.ts";
import { openMirrored, requireSource } from "./mirrored-list.ts";
import type { MirrorOptions, MirrorResult } from "./options.ts";
import type { MirrorSink } from "./sink.ts";
import { type MirrorState, readMirrorState } from "./state.ts";

/** See `mirror`. */
export async function startMirror<T, D = undefined>(
  list: CursorList<T> | PageList<T, unknown>,
  sink: MirrorSink<NoInfer<T>, D>,
  options: MirrorOptions<NoInfer<T>, D>,
): Promise<MirrorResult> {
  checkArguments(sink, options);
  const source = requireSource(list);
  const { call } = source;
  const text = (await sink.load()) ?? undefined;
  const before = text === undefined ? undefined : readMirrorState(text, call);
  const mirrored = openMirrored(source, before?.list["destination"]);
  const state: MirrorState = before ?? { v: 1, list: {}, last: 0, candidate: null, pass: null };
  return new MirrorRun<T, D>(mirrored, sink, options, state).run();
}

const methods = ["load", "find", "save", "countUnseen", "remove"];
const names = ["details", "concurrency", "identify", "fingerprint", "maxDeleted", "maxPasses"];

function checkArguments(sink: unknown, options: unknown): void {
  const missing = methods.find((name) => !isObject(sink) || typeof sink[name] !== "function");
  if (missing !== undefined) throw new ConfigurationError(`mirror: the sink must have a method ${missing}`);
  if (!isObject(options)) throw new ConfigurationError("mirror: the options must be an object");
  checkNames("Unknown option", options, names);
  for (const name of ["details", "identify", "fingerprint"])
    if (options[name] !== undefined && typeof options[name] !== "function")
      throw new ConfigurationError(`${name} must be a function`);
  const { maxDeleted = 0.5, maxPasses = 1, concurrency = 1 } = options;
  for (const [name, count] of Object.entries({ maxPasses, concurrency }))
    if (!(isInteger(count) && count >= 1))
      throw new ConfigurationError(`${name} must be an integer of at least 1`);
  if (!(typeof maxDeleted === "number" && maxDeleted >= 0 && maxDeleted <= 1))
    throw new ConfigurationError("maxDeleted must be a number from 0 to 1");
}
