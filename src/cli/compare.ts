import type { ExportedState } from "../mock/index.ts";
import { type CompareReport, compare } from "../field/compare/compare.ts";
import { ServiceError } from "../field/compare/service.ts";
import { type CompareSettings, compareHelp, readCompareArguments } from "./compare-arguments.ts";
import { StartError, UsageError } from "./failure.ts";
import { readJsonObject } from "./json-file.ts";
import { printError, printJson, printLine, printText } from "./print.ts";

const DIFFERENT = 1;
const SERVICE_ERROR = 3;

/** Runs `shelfleet compare` and returns the exit code. */
export async function runCompare(args: string[]): Promise<number> {
  const settings = readCompareArguments(args, process.env);
  if (settings === "help") {
    printText(compareHelp);
    return 0;
  }
  const report = await reportOf(settings);
  if (typeof report === "string") {
    printError(`shelfleet: ${report}`);
    return SERVICE_ERROR;
  }
  if (settings.json) printJson(report);
  else for (const line of reportLines(report)) printLine(line);
  return report.differences.length > 0 ? DIFFERENT : 0;
}

/** Reads the JSON object in a file. @throws {UsageError} */
function jsonObjectIn(flag: string, path: string, content: string): Record<string, unknown> {
  try {
    return readJsonObject(flag, path, content);
  } catch (error) {
    throw error instanceof StartError ? new UsageError(error.message) : error;
  }
}

/** Returns the report, or the reason that the service cannot be read. */
async function reportOf({
  readings,
  state,
  rate,
  maxRequests,
  ...access
}: CompareSettings): Promise<CompareReport | string> {
  const file = jsonObjectIn("--readings", readings, "gaps and their readings");
  try {
    return await compare({
      ...access,
      readings: file, // the reference server checks both
      ...(state !== undefined && {
        state: jsonObjectIn("--state", state, "data") as object as ExportedState,
      }),
      ...(rate !== undefined && { rate }),
      ...(maxRequests !== undefined && { maxRequests }),
    });
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    // the reference server names an unknown gap or reading
    if (error instanceof Error && error.message.startsWith("readings:"))
      throw new UsageError(`--readings ${readings}: ${error.message.slice("readings: ".length)}`);
    if (error instanceof Error && state !== undefined && /^state\b/.test(error.message))
      throw new UsageError(`--state ${state}: ${error.message}`);
    throw error;
  }
}

function reportLines({ differences, requests, compared, incomplete }: CompareReport): string[] {
  const lines = differences.flatMap(({ operation, aspect, place, service, mock, request, count }) => {
    const location = place === "" ? "" : ` ${place}`;
    const times = count === 1 ? "" : ` (${count} times)`;
    return [`${operation} ${aspect}${location}: service ${service}, mock ${mock}${times}`, `    ${request}`];
  });
  lines.push(`${differences.length} differences in ${compared} reads; ${requests} requests to the service`);
  for (const path of incomplete) lines.push(`not compared completely: ${path}`);
  return lines;
}
