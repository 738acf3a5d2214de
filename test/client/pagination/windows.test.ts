import { describe, expect, it } from "vitest";
import { StoreClient, type StoreReadings } from "../../../src/client/store/index.ts";
import { json, stubFetch } from "../core/stub-fetch.ts";

type Precision = NonNullable<StoreReadings["time-range.precision"]>;

const start = Date.parse("2026-01-01T00:00:00Z");
const widths: Record<Precision, number> = {
  millisecond: 1,
  second: 1000,
  "rounded-second": 1000,
  minute: 60_000,
  day: 86_400_000,
};
const ends = ["half-open", "inclusive", "exclusive", "left-open"] as const;

/** A service that ignores the cursor, compares times with this precision, and has a protocol at each instant. */
function service(
  instants: readonly number[],
  precision: Precision,
  end: (typeof ends)[number],
  lose?: string,
) {
  const width = widths[precision];
  const cut = (time: number): number =>
    (precision === "rounded-second" ? Math.round(time / width) : Math.floor(time / width)) * width;
  return stubFetch(({ query }, index) => {
    const [from, to] = [cut(Date.parse(query.from ?? "")), cut(Date.parse(query.to ?? ""))];
    const found = instants
      .map((time, at) => ({ id: `P-${at}`, time: cut(time) }))
      .filter(({ time }) => (end === "half-open" || end === "inclusive" ? time >= from : time > from))
      .filter(({ time }) => (end === "left-open" || end === "inclusive" ? time <= to : time < to))
      .filter(({ id }) => index === 0 || id !== lose);
    return json({
      items: found.slice(0, 3).map(({ id }) => ({ id })),
      nextCursor: found.length > 3 ? "c" : null,
    });
  });
}

function read(
  { fetch }: ReturnType<typeof service>,
  precision: Precision | undefined,
  length: number,
): Promise<readonly object[]> {
  const readings = precision === undefined ? {} : { "time-range.precision": precision };
  const strategies = { "protocols.next-page": "window" as const };
  const store = new StoreClient({
    baseUrl: "https://store.example",
    token: "t",
    fetch,
    readings,
    strategies,
  });
  const range = { from: new Date(start), to: new Date(start + length) };
  return store.protocols.list("S", { ...range, limit: 3 }).toArray();
}

describe.each(Object.keys(widths) as Precision[])(
  "time windows of a service that compares to the %s",
  (precision) => {
    const width = widths[precision];
    const length = 4096 * width;

    it.each(ends)("deliver each protocol once if the range is %s", async (end) => {
      for (let shift = 0; shift < 12; shift += 1) {
        const instants = Array.from(
          { length: 23 },
          (_, index) => start + width * 2 + Math.floor((index * length) / 25) + shift * Math.ceil(width / 12),
        );
        const items = await read(service(instants, precision, end), precision, length);
        expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(23);
        expect(items).toHaveLength(23);
      }
    });
  },
);

describe("time windows without a reading", () => {
  it.each(["millisecond", "second", "rounded-second"] as const)(
    "deliver each protocol once if the service compares to the %s",
    async (precision) => {
      const instants = Array.from({ length: 23 }, (_, index) => start + 2000 + index * 40_000 + 500);
      for (const end of ends)
        expect(await read(service(instants, precision, end), undefined, 1_000_000)).toHaveLength(23);
    },
  );

  it("end in an error if more protocols than a page holds are in two seconds", async () => {
    const instants = Array.from({ length: 5 }, (_, index) => start + 5000 + index);
    await expect(
      read(service(instants, "millisecond", "inclusive"), undefined, 60_000),
    ).rejects.toMatchObject({
      reason: expect.stringContaining("than a page holds") as string,
    });
    expect(await read(service(instants, "millisecond", "inclusive"), "millisecond", 60_000)).toHaveLength(5);
  });

  it("end in an error if a protocol that was seen is not returned again", async () => {
    const instants = Array.from({ length: 9 }, (_, index) => start + 2000 + index * 60_000);
    await expect(
      read(service(instants, "millisecond", "inclusive", "P-1"), undefined, 600_000),
    ).rejects.toMatchObject({ reason: expect.stringContaining("not returned again") as string });
  });
});
