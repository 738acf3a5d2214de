import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Child } from "../child.ts";
import { bareSenders, type Contender, guarded, native, overUndici, Stable } from "../contenders.ts";
import type { Measurement, Row, RowPlan, Run } from "../measurement.ts";
import { measureRow } from "../rounds.ts";
import type { ScenarioSetting } from "../scenario.ts";
import { allOf, atMostTimes, fasterThan, goal, type Target } from "../target.ts";

const contenders: readonly Contender[] = [overUndici, ...guarded, ...bareSenders, native].map((one) =>
  one.module === "stripe" ? { ...one, name: "stripe (over node:http)" } : one,
);

/** The contenders that every row measures. */
const senders: readonly Contender[] = [overUndici, guarded[0], bareSenders[0], native].filter(
  (contender) => contender !== undefined,
);

const ours = overUndici.name;
const stripe = "stripe (over node:http)";

/** One row: the call, the protocol, and the number of concurrent calls. */
interface WalkSetup extends Pick<ScenarioSetting, "page" | "processor"> {
  id: string;
  what: string;
  tls: boolean;
  inFlight: 1 | 16;
  target: Target;
}

const small = { page: false, tls: false };
const page = { page: true, tls: false };

const setups: readonly WalkSetup[] = [
  {
    ...small,
    id: "transport-16",
    what: "a store over HTTP, 16 calls at a time",
    inFlight: 16,
    target: goal(
      allOf(
        atMostTimes(0.5, native.name),
        fasterThan(3, ["openai"], "≥ 3 × openai"),
        fasterThan(2, [stripe], "≥ 2 × stripe"),
        atMostTimes(1.5, "undici request"),
      ),
    ),
  },
  {
    ...small,
    id: "transport-1",
    what: "a store over HTTP, one call at a time",
    inFlight: 1,
    target: goal(atMostTimes(0.7, native.name)),
  },
  {
    ...page,
    id: "transport-page-16",
    what: "a page of 100 stores over HTTP, 16 calls at a time",
    inFlight: 16,
    target: goal(atMostTimes(0.8, native.name)),
  },
  {
    ...page,
    id: "transport-page-1",
    what: "a page of 100 stores over HTTP, one call at a time",
    inFlight: 1,
    target: goal(atMostTimes(0.8, native.name)),
  },
  {
    ...small,
    tls: true,
    id: "transport-tls-16",
    what: "a store over TLS, 16 calls at a time",
    inFlight: 16,
    target: atMostTimes(0.7, native.name),
  },
  {
    ...small,
    tls: true,
    id: "transport-tls-1",
    what: "a store over TLS, one call at a time",
    inFlight: 1,
    target: goal(atMostTimes(0.7, native.name)),
  },
  {
    ...page,
    tls: true,
    id: "transport-tls-page-16",
    what: "a page of 100 stores over TLS, 16 calls at a time",
    inFlight: 16,
    target: goal(atMostTimes(0.8, native.name)),
  },
  {
    ...page,
    tls: true,
    id: "transport-tls-page-1",
    what: "a page of 100 stores over TLS, one call at a time",
    inFlight: 1,
    target: goal(atMostTimes(0.8, native.name)),
  },
];

const processor: readonly WalkSetup[] = [
  {
    ...small,
    id: "transport-cpu",
    what: "processor time of a store over HTTP, 16 calls at a time",
    processor: true,
    inFlight: 16,
    target: atMostTimes(0.5, native.name),
  },
  {
    ...page,
    id: "transport-cpu-page",
    what: "processor time of a page of 100 stores over HTTP, 16 calls at a time",
    processor: true,
    inFlight: 16,
    target: goal(atMostTimes(1, native.name)),
  },
];

const planOf = ({ id, what, target }: WalkSetup): RowPlan => ({
  id,
  what,
  unit: "µs",
  better: "less",
  ours,
  target,
});

const measurementOf = (setup: WalkSetup): Measurement => ({
  plans: [planOf(setup)],
  measure: (run) => measureSetup(run, setup),
});

export const transportTimes: readonly Measurement[] = setups.map(measurementOf);
export const processorTimes: readonly Measurement[] = processor.map(measurementOf);

async function measureSetup(run: Run, setup: WalkSetup): Promise<Row[]> {
  const { server, env } = await startServer(run, setup.tls);
  try {
    // in a quick run, the other contenders are in one row: no target of the others is about them
    const entered = run.quick && setup.id !== "transport-16" ? senders : contenders;
    const calls = (setup.page === true ? 300 : 1_000) / (run.quick ? 2 : 1);
    const setting = { ...setup, baseUrl: server.baseUrl };
    await using stable = await Stable.open(entered, "in-flight", setting, 3 * calls, env);
    const participants = entered.map((contender) => stable.participant(contender, calls));
    return [await measureRow(run, planOf(setup), participants, run.quick ? 5 : 31)];
  } finally {
    await server.child.stop();
  }
}

/** A server, and the certificate that a contender's process needs. */
async function startServer(
  run: Run,
  tls: boolean,
): Promise<{ server: { child: Child; baseUrl: string }; env: Record<string, string> }> {
  const args: string[] = [];
  const env: Record<string, string> = {};
  if (tls) {
    const [file, ca, keyFile] = ["server.json", "authority.pem", "key.pem"].map(
      (name) => `${run.work}/${name}`,
    ) as [string, string, string];
    const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    const files = ["-keyout", keyFile, "-out", ca];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    execFileSync("openssl", ["req", "-x509", "-nodes", "-days", "2", ...curve, ...names, ...files], {
      stdio: "ignore",
    });
    const [cert, secret] = [ca, keyFile].map((path) => readFileSync(path, "utf8"));
    writeFileSync(file, JSON.stringify({ cert, key: secret }));
    args.push(file);
    env["NODE_EXTRA_CA_CERTS"] = ca;
  }
  const { child, ready } = await Child.start("servers/prepared.ts", args);
  return { server: { child, baseUrl: ready as string }, env };
}
