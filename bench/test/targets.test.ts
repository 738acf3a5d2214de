import assert from "node:assert/strict";
import { test } from "node:test";
import { slopeRow } from "../growth.ts";
import type { RowPlan } from "../measurement.ts";
import { planOf, rowIds } from "../rows/table.ts";

type Figures = Record<string, number>;

/** For each row: figures that just meet the target, and figures that just miss it. */
const bounds: Record<string, [reached: Figures, missed: Figures]> = {
  "call-stub": [guarded(10), guarded(10.1)],
  "call-loopback": [
    { shelfleet: 105, "native fetch": 100 },
    { shelfleet: 106, "native fetch": 100 },
  ],
  "transport-16": [sockets(45), sockets(45.1)],
  "transport-1": [overUndici(70), overUndici(71)],
  "transport-page-16": [overUndici(80), overUndici(81)],
  "transport-page-1": [overUndici(80), overUndici(81)],
  "transport-tls-16": [overUndici(70), overUndici(71)],
  "transport-tls-1": [overUndici(70), overUndici(71)],
  "transport-tls-page-16": [overUndici(80), overUndici(81)],
  "transport-tls-page-1": [overUndici(80), overUndici(81)],
  "transport-cpu": [overUndici(50), overUndici(51)],
  "transport-cpu-page": [overUndici(100), overUndici(101)],
  "first-call": [
    { shelfleet: 10, "openapi-fetch + ky": 10 },
    { shelfleet: 10.1, "openapi-fetch + ky": 10 },
  ],
  "walk-million": [
    { shelfleet: 85, "loop over JSON.parse": 100 },
    { shelfleet: 84, "loop over JSON.parse": 100 },
  ],
  "walk-memory": [{ shelfleet: 2 }, { shelfleet: 2.1 }],
  "walk-cursor": [
    { "shelfleet, prefetch 1": 1, openai: 1.8, stripe: 1.8 },
    { "shelfleet, prefetch 1": 1, openai: 2, stripe: 1.79 },
  ],
  "walk-numbered": [
    { "shelfleet, concurrency 8": 1, octokit: 5.5, "shelfleet, one at a time": 5.5 },
    { "shelfleet, concurrency 8": 1, octokit: 7, "shelfleet, one at a time": 5.4 },
  ],
  "bundle-operation": [{ shelfleet: 22 }, { shelfleet: 22.01 }],
  "bundle-client": [{ shelfleet: 22 }, { shelfleet: 22.01 }],
  "bundle-fleet": [{ shelfleet: 22 }, { shelfleet: 22.01 }],
  "bundle-both": [{ shelfleet: 28 }, { shelfleet: 28.01 }],
  types: [{ shelfleet: 1000 }, { shelfleet: 1001 }],
  "types-time": [
    { shelfleet: 1, "openapi-fetch": 1, "hey-api": 2 },
    { shelfleet: 1.01, "openapi-fetch": 1, "hey-api": 2 },
  ],
  editor: [completions(1), completions(1.01)],
  "editor-typing": [completions(1), completions(1.01)],
  "server-get": [mock(4), mock(3.9)],
  "server-list": [mock(4), mock(3.9)],
  "server-put": [mock(4), mock(3.9)],
  "server-start": [mock(1 / 3), mock(0.34)],
  "server-seed": [{ createReferenceServer: 500 }, { createReferenceServer: 501 }],
  "server-memory": [{ "shelfleet mock": 220 }, { "shelfleet mock": 221 }],
  "server-memory-walked": [{ "shelfleet mock": 220 }, { "shelfleet mock": 221 }],
  "server-deep-page": [
    { "shelfleet mock, last page": 90, "shelfleet mock, first page": 100 },
    { "shelfleet mock, last page": 89, "shelfleet mock, first page": 100 },
  ],
  "in-process": [
    { "ref.fetch": 100, "msw 3 by hand": 10, "msw 2 by hand": 10 },
    { "ref.fetch": 100, "msw 3 by hand": 5, "msw 2 by hand": 11 },
  ],
};

function guarded(ours: number): Figures {
  return {
    shelfleet: ours,
    "openapi-fetch + ky": 50,
    openai: 50,
    stripe: 10,
    "Redocly's generated client": 10,
  };
}

function sockets(ours: number): Figures {
  const others = { openai: 135, "stripe (over node:http)": 90, "undici request": 30, "native fetch": 90 };
  return { "shelfleet, undici": ours, ...others };
}

function overUndici(ours: number): Figures {
  return { "shelfleet, undici": ours, "native fetch": 100 };
}

function completions(ours: number): Figures {
  return { shelfleet: ours, "openapi-fetch, client.": 1, "openapi-fetch, its routes": 2 };
}

function mock(ours: number): Figures {
  return { "shelfleet mock": ours, Prism: 1 };
}

function isMet({ target, ours }: RowPlan, figures: Figures): boolean {
  const samples = new Map(Object.entries(figures).map(([name, value]) => [name, [value, value, value]]));
  return target.met(samples, ours);
}

test("every row has a tested target", () => {
  const bound = rowIds.filter((id) => planOf(id).target.text !== "none"); // the slopes of the others have one
  assert.deepEqual(Object.keys(bounds), bound);
});

for (const [id, [reached, missed]] of Object.entries(bounds)) {
  const plan = planOf(id);

  test(`the target of ${id} is met at its bound and missed beyond it: ${plan.target.text}`, () => {
    assert.equal(isMet(plan, reached), true);
    assert.equal(isMet(plan, missed), false);
  });

  test(`the target of ${id} is not met if a figure that it depends on is missing`, () => {
    for (const name of Object.keys(reached)) {
      const { [name]: _, ...rest } = reached;
      assert.equal(isMet(plan, rest), false, `without ${name}`);
    }
  });
}

test("a growth row belongs to the row that it measures", () => {
  assert.equal(planOf("server-memory-walked").id, "server-memory-walked");
  assert.equal(planOf("call-stub.10000").id, "call-stub");
  assert.throws(() => planOf("call"), /there is no row call/);
});

test("a cost may grow as fast as the work, and with an exponent higher by 0.1", () => {
  const met = (exponent: number): boolean => {
    const rows = [1, 10, 100].map(
      (work): [number, Parameters<typeof slopeRow>[0] & { samples: Map<string, number[]> }] => [
        work,
        { ...planOf("types"), samples: new Map([["shelfleet", [work ** exponent]]]) },
      ],
    );
    const row = slopeRow(planOf("types"), { exponent: 1 }, new Map(rows));
    return row.target.met(row.samples, row.ours);
  };
  assert.equal(met(1.05), true);
  assert.equal(met(1.15), false);
});
