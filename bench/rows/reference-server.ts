import { isFullPage, isStore, storeUpsert, token } from "../responses.ts";
import { measureGrowth } from "../growth.ts";
import { load, type LoadRequest } from "../load.ts";
import type { Measurement, Row, RowPlan, Run } from "../measurement.ts";
import { type MockProgram, ourMock, RunningMock } from "../mock-servers.ts";
import { otherMocks } from "../other-mocks.ts";
import { type Participant, measureRow } from "../rounds.ts";
import { atLeastTimes, atMostTimes, goal } from "../target.ts";

const ours = "shelfleet mock";

const timesPrism = atLeastTimes(4, "Prism");

const rate = (id: string, what: string, target = goal(timesPrism)): RowPlan => ({
  id: `server-${id}`,
  what: `reference server over HTTP, ${what}, the same answer from all`,
  unit: "requests/s",
  better: "more",
  ours,
  target,
});

const requests: readonly { row: RowPlan; request: LoadRequest }[] = [
  {
    row: rate("get", "GET one store"),
    request: { method: "GET", path: "/v1/stores/S-1", token, fits: isStore },
  },
  {
    row: rate("list", "list of 100", timesPrism),
    request: { method: "GET", path: "/v1/stores?limit=100", token, fits: isFullPage },
  },
  {
    row: rate("put", "PUT one store"),
    request: {
      method: "PUT",
      path: "/v1/stores/S-1",
      body: JSON.stringify(storeUpsert),
      token,
      fits: isStore,
    },
  },
];

const start: RowPlan = {
  id: "server-start",
  what: "reference server over HTTP, from the command to the first response",
  unit: "ms",
  better: "less",
  ours,
  target: atMostTimes(1 / 3, "Prism"),
};

/** The three programs; shelfleet once for each number of stores. */
class Side implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly #running = new Map<string, RunningMock>();

  async run(label: string, program: MockProgram): Promise<void> {
    this.#running.set(label, this.#stack.use(await RunningMock.start(program)));
  }

  participant(name: string, label: string, request: LoadRequest, ms: number): Participant {
    return {
      name,
      sample: async () => {
        const server = this.#running.get(label);
        if (server === undefined) throw new Error("it does not run");
        return load(server.origin, request, ms);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

const amounts = { base: 1_000, others: [10_000, 100_000], unit: "stores", exponent: 0 } as const;

export const serverRates: Measurement = {
  plans: requests.map(({ row }) => row),
  async measure(run) {
    await using side = new Side();
    for (const stores of [amounts.base, ...(run.quick ? [] : amounts.others)]) {
      await side.run(`${ours} ${stores}`, ourMock(ours, stores));
    }
    const others = await otherMocks(run.work, amounts.base);
    for (const program of others) await side.run(program.name, program);
    const rows: Row[] = [];
    for (const { row, request } of requests)
      rows.push(...(await measureRequest(run, side, others, row, request)));
    return rows;
  },
};

async function measureRequest(
  run: Run,
  side: Side,
  others: readonly MockProgram[],
  row: RowPlan,
  request: LoadRequest,
): Promise<Row[]> {
  const participants = (stores: number, ms = run.quick ? 1_000 : 2_000): Participant[] => [
    side.participant(ours, `${ours} ${stores}`, request, ms),
    ...others.map(({ name }) => side.participant(name, name, request, ms)),
  ];
  for (const { sample } of participants(amounts.base)) await sample().catch(() => {}); // warm-up; a failure is reported below
  return measureGrowth(run, row, amounts, participants, run.quick ? 3 : 11);
}

export const serverStart: Measurement = {
  plans: [start],
  async measure(run) {
    const programs = [ourMock(ours, 250), ...(await otherMocks(run.work, 250))];
    const participants = programs.map((program) => ({
      name: program.name,
      sample: async () => {
        await using server = await RunningMock.start(program);
        return server.startMs;
      },
    }));
    return [await measureRow(run, start, participants, run.quick ? 3 : 11)];
  },
};
