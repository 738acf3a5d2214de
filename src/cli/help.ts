/** The output of `shelfleet --help`. */
export const help = `Usage: shelfleet <command>

  mock        runs the reference server of both APIs; see shelfleet mock --help
  probe       finds out which readings a live service uses; see shelfleet probe --help
  proxy       checks the traffic with a live service against the contract; see shelfleet proxy --help
  compare     prints where a live service and the mock differ; see shelfleet compare --help
  --version   prints the version
  --help      prints this`;

/** The output of `shelfleet mock --help`. */
export const mockHelp = `Usage: shelfleet mock [options]

Runs the reference server of the store integration API and of the fleet inspection API on this machine.
It prints its addresses, the token and the keys, then a line for each request, until it is interrupted.

  --port <n>         the port, 4010; 0 takes a free one
  --host <name>      where it listens, 127.0.0.1; 0.0.0.0 lets other machines in and needs --token
  --allow-host <name>
                     another name that the Host header of a request may have, such as that of a container;
                     may be given several times
  --cors             answers pages of any origin, preflights too
  --seed <n>         the seed of the generated data, 1; the same seed generates the same data
  --stores <n>       the number of stores, 250
  --protocols <n>    the number of protocols of each store, three to six
  --vehicles <n>     the number of vehicles, in each of production and sandbox
  --token <text>     the token of the store API; a random one
  --key <text>       a key of the fleet API with every scope, <prefix>_ or <prefix>_test_ and 64 hexadecimal
                     digits; may be given several times; random ones of production and sandbox
  --now <time>       where the clock stands still, ISO 8601; it runs with the system's
  --readings <file>  a JSON object of gaps and their readings, such as {"stores.omitted-fields": "reset"}
  --twin <file>      a log of shelfleet proxy: plays the readings that it tells, with the rows that it shows;
                     --readings takes precedence
  --json             prints each line as JSON; the first has addresses, token and keys
  --control          lets tests in other languages control the server, below /__ref:
                       POST reset     resets the server to its seed
                       GET  journal   {"requests", "unmet", "coverage"}
                       POST faults    {"operation", "status" or "fault", "at", "times"}; at and times may be absent
                       POST clock     {"advance": {"hours": 1}} or {"set": "2026-01-01T00:00:00Z"}
                       POST readings  {"<gap>": "<reading>"}
                     with "Authorization: Bearer <control token>", content-type application/json and no Origin
  --control-token <text>
                     the token of the control API; a random one, printed at startup
  --help             prints this`;
