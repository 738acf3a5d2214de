import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Child } from "./child.ts";
import { folderVariable } from "./package-under-test.ts";
import { oldName, resultRow, type ResultRow } from "./result.ts";
import { interleave, type Participant } from "./rounds.ts";
import type { Row } from "./rows.ts";
import type { Figure } from "./statistics.ts";

export interface RunOptions {
  isQuick: boolean;
  /** The folder of another build, which takes part. */
  old: string | undefined;
  /** Is told what could not be measured. */
  refuse: (contender: string, error: unknown) => void;
}

/** Each contender has its own process. All of them start before the first round. */
export async function measureRow(row: Row, { isQuick, old, refuse }: RunOptions): Promise<ResultRow> {
  await using stack = new AsyncDisposableStack();
  const tls = row.server?.isTls === true ? makeCertificate() : undefined;
  const env: Record<string, string> = tls === undefined ? {} : { NODE_EXTRA_CA_CERTS: tls.cert };
  const server =
    row.server && stack.use(await Child.start({ scenario: "server", setting: { ...row.server, tls } }));
  const setting = { ...row.setting, baseUrl: server?.url };
  const entries = row.contenders.map((name) => ({ name, contender: name, env }));
  if (old !== undefined && row.isNew !== true)
    entries.push({
      name: oldName,
      contender: row.contenders[0] ?? "",
      env: { ...env, [folderVariable]: old },
    });
  const { work = 1, rounds = 1 } = row;
  const enter = async ({ name, ...options }: (typeof entries)[number]): Promise<Participant> => {
    const start = (): Promise<Child> => Child.start({ scenario: row.scenario, setting, ...options });
    if (row.isFresh === true) return { name, sample: () => runOnce(start, work) };
    try {
      const child = stack.use(await start());
      return { name, sample: () => runCounted(child, work, server) };
    } catch (error) {
      return { name, sample: () => Promise.reject(error) };
    }
  };
  const participants = await Promise.all(entries.map(enter));
  const counted = isQuick ? Math.ceil(rounds / 8) : rounds;
  return resultRow(row, await interleave(participants, { counted, warmUp: row.warmUp ?? 1 }, refuse));
}

async function runOnce(start: () => Promise<Child>, work: number): Promise<Figure> {
  await using child = await start();
  return await child.run(work);
}

/** A figure is valid only if the contender sent one request for each call or page. */
async function runCounted(child: Child, work: number, server: Child | undefined): Promise<Figure> {
  if (server === undefined) return child.run(work);
  const { value: before } = await server.run(0);
  const figure = await child.run(work);
  const requests = (await server.run(0)).value - before;
  if (requests !== work) throw new Error(`sent ${requests} requests instead of ${work}`);
  return figure;
}

/** A certificate that the processes of the contenders trust. */
function makeCertificate(): { cert: string; key: string } {
  const folder = fileURLToPath(new URL("work", import.meta.url));
  const [cert, key] = [`${folder}/certificate.pem`, `${folder}/key.pem`];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const args = ["req", "-x509", "-nodes", "-days", "2", ...curve, ...names, "-keyout", key, "-out", cert];
  execFileSync("openssl", args, { stdio: "ignore" });
  return { cert, key };
}
