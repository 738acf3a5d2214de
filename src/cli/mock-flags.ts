import { describeFlags, flag, number, text, texts, toggle } from "./flags.ts";

/** The flags of `shelfleet mock`. */
export const mockFlags = {
  port: flag(number, "<n>", "the port (default 4010); 0 selects a free one", "serve.port"),
  host: flag(
    text,
    "<name>",
    "the address to listen on (default 127.0.0.1); others need --token",
    "serve.host",
  ),
  "allow-host": flag(
    texts,
    "<name>",
    "a further Host, such as a container; may be repeated",
    "serve.allowHosts",
  ),
  cors: flag(toggle, "", "lets pages of any origin call the APIs, and answers preflights"),
  seed: flag(number, "<n>", "the seed of the generated data (default 1)", "seed"),
  stores: flag(number, "<n>", "the number of stores (default 250)", "store.stores"),
  protocols: flag(
    number,
    "<n>",
    "protocols of each store (default: three to six)",
    "store.protocolsPerStore",
  ),
  vehicles: flag(number, "<n>", "vehicles in each of production and sandbox", "fleet.vehicles"),
  token: flag(text, "<text>", "the token of the store API (default: a random one)", "store.token"),
  key: flag(texts, "<text>", "a key of the fleet API; may be repeated (default: random ones)", "fleet.keys"),
  now: flag(text, "<time>", "a fixed clock, ISO 8601 (default: the clock of the machine)", "now"),
  readings: flag(text, "<file>", 'answers to open questions: {"stores.omitted-fields": "reset"}', "readings"),
  strict: flag(toggle, "", "responds with 400 to every violation of the contract"),
  "limit-per-second": flag(number, "<n>", "requests of one token or key, else 429", "limits.perSecond"),
  "limit-burst": flag(number, "<n>", "the number of requests that may be sent at once", "limits.burst"),
  "retry-after": flag(text, "<form>", "of a 429: seconds (default), date or none", "limits.retryAfter"),
  state: flag(text, "<file>", "the initial state, written by --save or exportState()", "state"),
  save: flag(text, "<file>", "writes the state to a file at the end, without tokens and keys"),
  quiet: flag(toggle, "", "prints no line for a request"),
  json: flag(toggle, "", "prints each line as JSON; the first has addresses, token and keys"),
  control: flag(toggle, "", "serves the control API below /__ref; see shelfleet mock --help control"),
  "control-token": flag(text, "<text>", "the token of the control API (default: a random one)"),
};

/** Returns the output of `shelfleet mock --help`. */
export function mockHelp(): string {
  return `Usage: shelfleet mock [options]

Runs the reference server of the store integration API and of the fleet inspection API on this machine. It prints its
addresses, the token and the keys, the lines that set the variables of storeFromEnv() and fleetFromEnv() in a shell, and
then a line for each request, until it is interrupted.

${describeFlags(mockFlags)}

A key is <prefix>_ or <prefix>_test_ followed by 64 hexadecimal digits, and has every scope. The variables
SHELFLEET_MOCK_TOKEN and SHELFLEET_MOCK_KEY (or several keys, separated by commas) are used without --token and --key,
and are not printed.

Limits: the header of a request has at most 256 KiB and 60 s, its body 10 MB, a whole request 5 minutes; at most 2 000
clients are connected, and an idle connection is closed after 60 s.`;
}
