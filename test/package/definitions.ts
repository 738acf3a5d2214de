import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { LanguageServer } from "./language-server.ts";

/** A name in a file, by the text that begins with it; line and column from 0. */
interface Place {
  name: string;
  line: number;
  character: number;
}

/** The place that an editor opens for a name. */
export interface Definition {
  name: string;
  file: string;
  /** The line in that file. */
  text: string;
}

/** The definitions that an editor with a given TypeScript compiler opens for each name. */
export function findDefinitions(compiler: string, file: string, names: string[]): Promise<Definition[]> {
  const text = readFileSync(file, "utf8");
  const places = names.map((name) => placeOf(name, text));
  const before7 = join(compiler, "lib/tsserver.js");
  return compiler.endsWith("-7")
    ? overLsp(compiler, file, text, places)
    : overTsServer(before7, file, places);
}

function placeOf(name: string, text: string): Place {
  const index = text.indexOf(name);
  if (index === -1) throw new Error(`no ${name} is used`);
  const lines = text.slice(0, index).split("\n");
  return { name, line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function found(name: string, file: string | undefined, line: number): Definition {
  if (file === undefined) throw new Error(`no definition of ${name} is found`);
  return { name, file, text: readFileSync(file, "utf8").split("\n")[line] ?? "" };
}

interface TsServerResponse {
  request_seq?: number;
  body?: { file: string; start: { line: number } }[];
}

async function overTsServer(server: string, file: string, places: Place[]): Promise<Definition[]> {
  const requests = [
    { command: "open", arguments: { file } },
    ...places.map(({ line, character }) => ({
      command: "definition",
      arguments: { file, line: line + 1, offset: character + 1 },
    })),
  ];
  const lines = requests.map((request, seq) => `${JSON.stringify({ seq, type: "request", ...request })}\n`);
  const { stdout } = spawnSync(process.execPath, [server, "--disableAutomaticTypingAcquisition"], {
    input: lines.join(""),
    encoding: "utf8",
  });
  const responses = [...stdout.matchAll(/^\{.*\}$/gm)].map(([json]) => JSON.parse(json) as TsServerResponse);
  return places.map(({ name }, index) => {
    const first = responses.find((one) => one.request_seq === index + 1)?.body?.[0];
    return found(name, first?.file, (first?.start.line ?? 1) - 1);
  });
}

interface LspLocation {
  uri: string;
  range: { start: { line: number } };
}

async function overLsp(compiler: string, file: string, text: string, places: Place[]): Promise<Definition[]> {
  const server = new LanguageServer(process.execPath, [join(compiler, "bin/tsc"), "--lsp", "--stdio"]);
  const uri = pathToFileURL(file).href;
  await server.request("initialize", { processId: null, rootUri: null, capabilities: {} });
  server.tell("initialized", {});
  server.tell("textDocument/didOpen", {
    textDocument: { uri, languageId: "typescript", version: 1, text },
  });
  const all: Definition[] = [];
  for (const { name, line, character } of places) {
    const params = { textDocument: { uri }, position: { line, character } };
    const [first] = (await server.request("textDocument/definition", params)) as LspLocation[];
    all.push(found(name, first && fileURLToPath(first.uri), first?.range.start.line ?? 0));
  }
  await server.close();
  return all;
}
