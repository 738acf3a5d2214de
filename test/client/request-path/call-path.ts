// Counts the named functions of `src/` that a warm call runs through, by V8's precise coverage.
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { StoreClient } from "../../../src/client/store/index.ts";

const source = fileURLToPath(new URL("../../../src/", import.meta.url));
const store = { storeId: "11111111-1111-1111-1111-111111111111", externalId: "S-1", name: "One" };
const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

/** Responds to every request: with a store, or with two pages of protocols. */
const fetch = async (input: string): Promise<Response> => {
  const url = new URL(input);
  if (!url.pathname.endsWith("/protocols")) return Response.json(store);
  const isSecond = url.searchParams.has("cursor");
  const items = [{ protocolId: isSecond ? "b" : "a" }];
  return Response.json({ externalId: "S-1", items, nextCursor: isSecond ? null : "b" });
};

const client = new StoreClient({ baseUrl: "https://store.example", token: "some-long-token", fetch });

const calls: Record<string, () => Promise<unknown>> = {
  "stores.get": () => client.stores.get("S-1"),
  "stores.upsert": () => client.stores.upsert("S-1", { name: "One" }),
  "protocols.list().pages()": async () => {
    for await (const page of client.protocols.list("S-1", range).pages()) if (page.resume === null) return;
  },
};

/** V8 reports an anonymous function with an empty name, and the fields of a class as `<instance_members_initializer>`. */
function isNamed(functionName: string): boolean {
  return functionName !== "" && !functionName.startsWith("<");
}

interface CallPath {
  functions: string[];
  files: string[];
}

/** The functions and files of each call, by the name of the call. */
async function measureCallPaths(): Promise<Record<string, CallPath>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  const paths: Record<string, CallPath> = {};
  for (const [name, call] of Object.entries(calls)) {
    for (let warm = 0; warm < 3; warm += 1) await call();
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await call();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    await session.post("Profiler.stopPreciseCoverage");
    const ours = result.filter(
      ({ url }) => url.startsWith("file://") && fileURLToPath(url).startsWith(source),
    );
    const ran = ours.flatMap(({ url, functions }) =>
      functions
        .filter(({ functionName, ranges }) => isNamed(functionName) && (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => ({ file: fileURLToPath(url).slice(source.length), functionName })),
    );
    paths[name] = {
      functions: ran.map(({ file, functionName }) => `${file}: ${functionName}`),
      files: [...new Set(ran.map(({ file }) => file))],
    };
  }
  session.disconnect();
  return paths;
}

if (process.argv.includes("--json")) {
  process.stdout.write(JSON.stringify(await measureCallPaths()));
} else {
  const paths = await measureCallPaths();
  for (const [name, { functions, files }] of Object.entries(paths)) {
    process.stdout.write(`${name}: ${functions.length} functions in ${files.length} files\n`);
    if (process.argv.includes("--list")) process.stdout.write(functions.map((one) => `  ${one}\n`).join(""));
  }
}
