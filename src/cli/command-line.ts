import { UsageError } from "./output.ts";
import { parseFlags } from "./flags.ts";
import { type MockCommand, readMockArguments } from "./mock-arguments.ts";

type Command =
  | { name: "help"; of: "shelfleet" | "control" }
  | { name: "version" }
  | { name: "doctor" | "prove"; args: string[] }
  | MockCommand;

const topOptions = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** @throws {UsageError} */
export function readCommandLine(args: string[], env: NodeJS.ProcessEnv = {}): Command {
  const [command] = args;
  if (command === "mock" && args[1] === "--help" && args[2] === "control")
    return { name: "help", of: "control" };
  if (command === "mock") return readMockArguments(args.slice(1), env);
  if (command === "doctor" || command === "prove") return { name: command, args: args.slice(1) };
  if (command !== undefined && !command.startsWith("-"))
    throw new UsageError(`Unknown command "${command}"; see shelfleet --help`);
  return parseFlags("mock", args, { options: topOptions }).values.version === true
    ? { name: "version" }
    : { name: "help", of: "shelfleet" };
}

/** The output of `shelfleet --help`. */
export const help = `Usage: shelfleet <command>

  mock        runs the reference server of both APIs; see shelfleet mock --help
  doctor      checks a live service against the contract with GETs; see shelfleet doctor --help
  prove       runs a program in many worlds in which something goes wrong; see shelfleet prove --help
  --version   prints the version
  --help      prints this`;

/** The output of `shelfleet mock --help`. */
export const mockHelp = `Usage: shelfleet mock [options]

Runs the reference server of the store integration API and of the fleet inspection API on this machine.
It prints its addresses, the token and the keys, then a line for each request, until it is interrupted.

  --port <n>         the port (default 4010); 0 selects a free one
  --host <name>      the address to listen on (default 127.0.0.1); 0.0.0.0 lets other machines connect and needs --token
  --allow-host <name>
                     a further name that the Host header of a request may have, such as the name of a container;
                     may be given several times
  --cors             allows requests from pages of any origin, including preflights
  --seed <n>         the seed of the generated data (default 1); the same seed generates the same data
  --stores <n>       the number of stores (default 250)
  --protocols <n>    the number of protocols of each store (default: three to six)
  --vehicles <n>     the number of vehicles in each of production and sandbox
  --token <text>     the token of the store API (default: a random one)
  --token-expires <time>
                     when the token expires by the server's clock, ISO 8601
  --key <text>       a key of the fleet API with every scope: <prefix>_ or <prefix>_test_ followed by 64 hexadecimal
                     digits; may be given several times (default: random keys of production and sandbox)
  --key-scopes <list>
                     the scopes of the --key before it, separated by commas; before every --key, those of all keys
  --key-expires <time>
                     when the --key before it, or every key, expires by the server's clock, ISO 8601
  --key-revoked      revokes the --key before it, or every key
  --now <time>       the fixed time of the server's clock, ISO 8601 (default: 2026-01-01T00:00:00Z), or "system" for
                     a clock that runs
  --readings <file>  a file with readings: JSON such as {"stores.omitted-fields": "reset"}
  --strict           responds with 400 to every violation of the contract, also to those that the readings tolerate
  --limit-per-second <n>
                     responds with 429 to more requests per second with one token or key (default: no limit, or 10 if
                     another --limit flag or --retry-after is given)
  --limit-burst <n>  the number of requests that may be sent at once (default: as many as per second)
  --retry-after <form>
                     the form of the Retry-After header of a 429: seconds, date or none (default seconds)
  --state <file>     the initial state, written by --save or exportState(), instead of generated data
  --save <file>      writes the state to a file at the end, without tokens and keys
  --quiet            prints no line for a request
  --json             prints each line as JSON; the first has addresses, token and keys
  --control          lets tests in other languages control the server through routes below /__ref, such as
                       POST reset      resets the server to its seed
                       POST overrides  {"operation": "getStore", "response": {"status": 503}, "times": 1}
                       POST clock      {"advance": {"hours": 1}} or {"set": "2026-01-01T00:00:00Z"}
                       POST readings   {"<gap>": "<reading>"}
                       GET  journal    returns the requests and the contract violations
                     with "Authorization: Bearer <control token>" and no Origin; shelfleet mock --help control lists all
  --control-token <text>
                     the token of the control API (default: a random one, printed at startup)
  --config <file>    a JSON object of these flags without their dashes, such as {"port": 4011, "cors": true}
  --wait <url>       starts no server; waits until a server responds at this URL and exits with 0, or with 1 after
                     --timeout
  --timeout <s>      the time limit of --wait in seconds (default 30)
  --help             prints this

Every flag except the last four can also be an environment variable: SHELFLEET_PORT, SHELFLEET_KEY_SCOPES, ...; lists are
separated by commas, and SHELFLEET_CONFIG names the file. A flag overrides a variable, a variable overrides the file.
Tokens and keys of a variable or of the file are not printed. --no-cors, --no-control, ... switch off a variable or the file.

Limits: the header of a request has at most 256 KiB and 60 s, its body 10 MB, a whole request 5 minutes; at most 2 000
clients are connected, and an idle connection is closed after 60 s.`;
