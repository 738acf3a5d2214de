import { isFullPage, token } from "../responses.ts";
import { Child } from "../child.ts";
import { measureGrowth } from "../growth.ts";
import { load, type LoadRequest } from "../load.ts";
import type { Measurement, Row, RowPlan } from "../measurement.ts";
import { ourMock, RunningMock } from "../mock-servers.ts";
import { otherMocks } from "../other-mocks.ts";
import { measureRow } from "../rounds.ts";
import { atLeastTimes, atMost, goal } from "../target.ts";

const ours = "shelfleet mock";
const many = 100_000;

const seed: RowPlan = {
  id: "server-seed",
  what: "reference server with 100 000 stores: making it",
  unit: "ms",
  better: "less",
  ours: "createReferenceServer",
  target: atMost(500, "ms"),
};

const memory: RowPlan = {
  id: "server-memory",
  what: "reference server with 100 000 stores: memory of its process after the first response",
  unit: "MB",
  better: "less",
  ours,
  target: atMost(220, "MB"),
};

const walked: RowPlan = {
  ...memory,
  id: "server-memory-walked",
  what: "the same after every store was listed",
  target: goal(memory.target),
};

const deep: RowPlan = {
  id: "server-deep-page",
  what: "reference server with 100 000 stores: list of 100, the last page beside the first",
  unit: "requests/s",
  better: "more",
  ours: "shelfleet mock, last page",
  target: atLeastTimes(0.9, "shelfleet mock, first page"),
};

const amounts = { base: many, others: [1_000, 10_000], unit: "stores", exponent: 1 } as const;

export const serverSeed: Measurement = {
  plans: [seed],
  measure(run) {
    const participants = (stores: number) => [{ name: seed.ours, sample: () => seededInNewProcess(stores) }];
    return measureGrowth(run, seed, amounts, participants, run.quick ? 3 : 11);
  },
};

async function seededInNewProcess(stores: number): Promise<number> {
  const { child } = await Child.start("scenario-process.ts", ["seeding", "shelfleet", "{}"]);
  try {
    return (await child.ask(stores)) as number;
  } finally {
    await child.stop();
  }
}

export const serverMemory: Measurement = {
  plans: [memory, walked],
  async measure(run) {
    const programs = [ourMock(ours, many), ...(await otherMocks(run.work, many))];
    const fresh = new Map<string, number[]>(programs.map(({ name }) => [name, []]));
    const participants = programs.map((program) => ({
      name: program.name,
      sample: async () => {
        await using server = await RunningMock.start(program);
        fresh.get(program.name)?.push(server.residentMb());
        if (program.name === ours) await lastCursor(server.origin);
        else await load(server.origin, list("/v1/stores?limit=100"), 1_000);
        return server.residentMb();
      },
    }));
    const after = await measureRow(run, walked, participants, run.quick ? 2 : 7);
    return [{ ...memory, samples: fresh }, after];
  },
};

export const deepPage: Measurement = {
  plans: [deep],
  async measure(run): Promise<Row[]> {
    await using server = await RunningMock.start(ourMock(ours, many));
    const cursor = encodeURIComponent(await lastCursor(server.origin));
    const page = (name: string, path: string) => {
      return { name, sample: () => load(server.origin, list(path), run.quick ? 1_000 : 2_000) };
    };
    const participants = [
      page("shelfleet mock, first page", "/v1/stores?limit=100"),
      page("shelfleet mock, last page", `/v1/stores?limit=100&cursor=${cursor}`),
    ];
    for (const { sample } of participants) await sample();
    return [await measureRow(run, deep, participants, run.quick ? 3 : 15)];
  },
};

const list = (path: string): LoadRequest => ({ method: "GET", path, token, fits: isFullPage });

interface Page {
  items: unknown[];
  nextCursor: string | null;
}

/** Walks the whole list. Returns the cursor of its last page. */
async function lastCursor(origin: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  let items = 0;
  for (let cursor = ""; ; ) {
    const query = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await fetch(`${origin}/v1/stores?limit=100${query}`, { headers });
    const page = (await response.json()) as Page;
    items += page.items.length;
    if (page.nextCursor === null) {
      if (items !== many) throw new Error(`listed ${items} of ${many} stores`);
      return cursor;
    }
    cursor = page.nextCursor;
  }
}
