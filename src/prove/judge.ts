import { type Delivery, type Finding, judgeCopy, judgeState } from "./findings.ts";
import { type Report, reportOf, type Verdict } from "./report.ts";
import type { World } from "./world.ts";

/** The end of one run of a program. */
export interface RunResult {
  /** The message of the error; `undefined` if the run succeeded. */
  readonly failure: string | undefined;
  /** What the program printed, which must not contain a secret. */
  readonly output: readonly string[];
  /** How a process ended and what it logged last, if it logged something. */
  readonly ending?: string | undefined;
}

/** A way to run a program and to read what it delivers. */
export interface Program {
  run(): Promise<RunResult>;
  /** @throws {NotJudgedError} */
  read(): Promise<Delivery>;
}

/** The rows of a program cannot be read. */
export class NotJudgedError extends Error {
  override readonly name = "NotJudgedError";
}

/** Runs a program in a world, as often as its scenario says, and judges the result. */
export async function judge(world: World, program: Program): Promise<Report> {
  const { runs } = world.plan;
  const results = await runAll(world, program);
  const last = results.find(({ failure }) => runs === "together" && failure !== undefined) ?? results.at(-1);
  const { failure, ending } = last ?? {};
  try {
    const delivered = await program.read();
    const findings = findDifferences(world, delivered);
    const leak = findLeak(world, results, delivered);
    const verdict = decide(world, { findings, leak, isFailed: failure !== undefined });
    return reportOf(world, verdict, { findings, leak, failure: verdict === "silent" ? ending : failure });
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    return reportOf(world, "not judged", { findings: [], leak: undefined, failure: error.message });
  }
}

async function runAll(world: World, program: Program): Promise<RunResult[]> {
  const { runs } = world.plan;
  if (runs === "together") return Promise.all([program.run(), program.run()]);
  const first = await program.run();
  const isAgain =
    runs === "twice" || (runs === "twice if it fails" && first.failure !== undefined) || world.isKilled;
  return isAgain ? [first, await program.run()] : [first];
}

function findDifferences(world: World, delivered: Delivery): Finding[] {
  if (world.requests.size === 0) return []; // there is no result, and the comparison takes most of the time
  if (world.plan.task.rows === undefined) return judgeState(world);
  return [...judgeCopy(world, delivered), ...judgeWrites(world)];
}

/** Returns the writes of a program that should only copy. */
function judgeWrites({ ref }: World): Finding[] {
  return ref.journal
    .all()
    .filter(({ method, status }) => !["GET", "HEAD", "OPTIONS"].includes(method) && (status ?? 0) < 300)
    .map(({ method, path }) => ({ kind: "wrong place", what: `${method} ${path} changed the data` }));
}

interface Observation {
  readonly findings: readonly Finding[];
  /** The place at which the token, the key or the data was found. */
  readonly leak: string | undefined;
  /** Whether the last run failed. */
  readonly isFailed: boolean;
}

function decide(world: World, { findings, leak, isFailed }: Observation): Verdict {
  const { task, isHarmOfService, unnoticeable, right } = world.plan;
  // work that is not done yet is no harm
  const isHarm = ({ kind }: Finding) => (task.rows === undefined ? kind !== "lost" : kind === "wrong place");
  if (leak !== undefined) return "leaked";
  if (world.isHammered) return "hammered";
  if (world.isHung) return "hung";
  if (world.isTooSlow) return "too slow";
  if (world.requests.size === 0) return "not exercised";
  if (isFailed && isHarmOfService !== true && findings.some(isHarm)) return "harmful";
  if (!isFailed && findings.length > 0) return unnoticeable === undefined ? "silent" : "unnoticeable";
  if (world.unreached() !== undefined || (isFailed && right === "basics")) return "not exercised";
  return isFailed ? "loud" : "correct";
}

const CONFIG_FILES = "a config file with the secret belongs in another folder than SHELFLEET_OUT";

/** Returns where the token or key was found, or the data of a write. */
function findLeak(
  { secrets, elsewhere, requests }: World,
  results: readonly RunResult[],
  { rows, files }: Delivery,
): string | undefined {
  const isLeak = leakFinder(secrets);
  const printed = results.flatMap(({ output, failure = "" }) => [...output, failure]);
  const places: Readonly<Record<string, Iterable<string>>> = {
    "in a request to another host": elsewhere.flatMap(({ head, body }) => [head, body]),
    "in the URL or the body of a request": requests,
    "in what the program printed or reported": printed,
    "in a delivered row": [JSON.stringify(rows)],
    ...Object.fromEntries(files.map(({ name, text }) => [`in the file ${name}; ${CONFIG_FILES}`, [text]])),
  };
  for (const [place, texts] of Object.entries(places))
    for (const text of texts) if (isLeak(text)) return place;
  return elsewhere.some(({ body }) => body !== "") ? "as data in a request to another host" : undefined;
}

/** So many characters of a secret in a row are a part that somebody can use. */
const RUN = 16;

/** Every run contains a part of so many characters whose place in the text is a multiple of the step. */
const PART = 8;
const STEP = RUN - PART + 1;

/**
 * Returns a secret as it is, as a URL or a dump shows it, and as a part of base64, which has another form at each of three
 * offsets. The clients redact fewer forms: what they do not know must not be invisible to the judge.
 */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
  const hex = bytes.toString("hex");
  return [...new Set([secret, encodeURIComponent(secret), hex, hex.replaceAll(/../g, "%$&"), ...base64])];
}

/** Returns a function that tells whether a text contains a run of one of the secrets, which are all longer. */
function leakFinder(secrets: readonly string[]): (text: string) => boolean {
  const forms = [...new Set(secrets)].flatMap(formsOf);
  const parts = new Set(forms.flatMap((form) => piecesOf(form, PART)));
  return (text) => {
    // most texts have no part, and comparing each place takes long
    for (let at = 0; at + PART <= text.length; at += STEP) {
      if (!parts.has(text.slice(at, at + PART))) continue;
      const around = text.slice(Math.max(0, at - STEP + 1), at + RUN);
      if (piecesOf(around, RUN).some((piece) => forms.some((form) => form.includes(piece)))) return true;
    }
    return false;
  };
}

/** Returns all parts of a text that have a length. */
function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) =>
    text.slice(start, start + length),
  );
}
