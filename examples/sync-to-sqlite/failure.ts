import { ConfigurationError, ShelfleetError, StoreApiError } from "../../src/index.ts";
import { UsageError } from "./command-line.ts";
import { TakenOverError } from "./database.ts";
import { ForeignFileError } from "./file.ts";
import { IncompleteError } from "./sync.ts";

/** The sync was asked to end. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(signal);
    this.exitCode = signal === "SIGINT" ? 130 : 143;
  }
}

/** One line for whoever started the program, and its exit code. */
export interface Failure {
  line: string;
  exitCode: number;
}

const restartHint = "The saved data is kept: start again with the same arguments to resume";

/** Says what went wrong; undefined for a fault of the program itself. */
export function explain(error: unknown, db: string): Failure | undefined {
  if (error instanceof UsageError) return failure(`${error.message} (--help lists the options)`, 2);
  if (error instanceof Interrupted) return failure(`interrupted. ${restartHint}`, error.exitCode);
  const line = describeError(error, db);
  return line === undefined ? undefined : failure(line, 1);
}

function describeError(error: unknown, db: string): string | undefined {
  if (error instanceof ForeignFileError) return `${db} ${error.message}`;
  if (error instanceof TakenOverError) return `another process continues the sync in ${db}: this one ends`;
  if (error instanceof ConfigurationError) return asOption(error.message);
  if (error instanceof StoreApiError && error.status === 401)
    return `the service rejected the token (${error.message}). ${restartHint}`;
  if (isReported(error)) return `${error.message}. ${restartHint}`;
  if (isCoded(error) && error.code === "ERR_SQLITE_ERROR") return `${db}: ${describeSqliteError(error)}`;
  if (isCoded(error) && error.syscall === "write")
    return `the output cannot be written (${error.code}). ${restartHint}`;
  return undefined;
}

function isReported(error: unknown): error is Error {
  return [ShelfleetError, IncompleteError].some((kind) => error instanceof kind);
}

interface Coded extends Error {
  code: string;
  syscall?: string;
  /** SQLite's extended result code; its low byte is the code that sqlite.org lists. */
  errcode?: number;
}

function isCoded(error: unknown): error is Coded {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

function describeSqliteError({ errcode = 0, message }: Coded): string {
  switch (errcode & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return `locked by another process. ${restartHint}`;
    case 8: // SQLITE_READONLY
      return "cannot be written: it is read-only";
    case 10: // SQLITE_IOERR
      return `cannot be read or written (${message}); is the disk full? ${restartHint}`;
    case 11: // SQLITE_CORRUPT
      return "is damaged: start again with another file";
    case 13: // SQLITE_FULL
      return `the disk is full. ${restartHint}`;
    case 14: // SQLITE_CANTOPEN
      return "cannot be opened or created: does its folder exist, and is it writable?";
    case 26: // SQLITE_NOTADB
      return "is not an SQLite file; it was not changed";
    default:
      return message;
  }
}

/** The client speaks of its options, this program has them on its command line. */
function asOption(message: string): string {
  return message.replace(/^baseUrl\b/, "--base-url").replace("allowInsecure: true", "--allow-insecure");
}

function failure(text: string, exitCode: number): Failure {
  // the message of a service may contain line breaks and control characters
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ");
  return { line: `sync-to-sqlite: ${line}`, exitCode };
}
