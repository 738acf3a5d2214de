import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  type ScenarioContext,
  ScenarioError,
  type ScenarioProgram,
  scenarios,
} from "../../src/prove/index.ts";
import { plantedPrograms } from "./naive.ts";
import { recordedVerdicts } from "./recorded.ts";
import { replaceScenarioList } from "./scenario-list.ts";

const naive = plantedPrograms["trusts every response"] as ScenarioProgram;
const fails: ScenarioProgram = () => Promise.reject(new Error("not today"));

function find(name: string) {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`no scenario ${name}`);
  return found;
}

/** Sends one request to the API of the task. */
function send(context: ScenarioContext, method: string, path: string, body?: object): Promise<Response> {
  const { task, storeUrl, fleetUrl, readToken, readKey, fetch } = context;
  const [url, secret] = task.api === "store" ? [storeUrl, readToken()] : [fleetUrl, readKey()];
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  return fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** Copies as the naive program does, and changes each value; the rows have properties of a database too. */
function changing(change: (value: unknown) => unknown): ScenarioProgram {
  return (context) => {
    const changed = (row: object): object => {
      const entries = Object.entries(row).map(([name, value]): [string, unknown] => [name, change(value)]);
      return { ...Object.fromEntries(entries), deletedAt: null, isDirty: false };
    };
    return naive({ ...context, deliver: (...rows) => context.deliver(...rows.map(changed)) });
  };
}

it("a simple program passes the scenarios without faults", async () => {
  const plain = scenarios.filter(({ family }) => family === "plain");
  const reports = await Promise.all(plain.map((scenario) => scenario.try(naive)));
  expect(reports.filter(({ verdict }) => verdict !== "correct")).toEqual([]);
});

describe("a verdict", () => {
  it.each<[name: string, verdict: string, program: ScenarioProgram]>([
    ["copy-stores/reset", "correct", naive],
    ["copy-protocols/cursor-rejected", "loud", naive],
    ["report-damages/reset-after-write", "silent", naive],
    ["copy-protocols/cursor-ignored", "hung", naive],
    ["delete-oldest-damage/deleted-with-204-then-again", "harmful", naive],
    ["copy-stores/token-echoed", "leaked", naive],
    ["copy-stores/wait-a-second", "hammered", naive],
    ["copy-stores/maintenance", "hammered", plantedPrograms["repeats without end"] as ScenarioProgram],
    ["copy-stores/reset", "not exercised", fails],
  ])("of %s can be %s", async (name, verdict, program) => {
    expect(await find(name).try(program)).toMatchObject({ verdict });
  });

  const reported = "in what the program printed or reported";
  const url = "in the URL or the body of a request";
  const failsWith = (build: (token: string) => object) => (context: ScenarioContext) =>
    Promise.reject(Object.assign(new Error("no"), build(context.readToken())));
  const request = (token: string) => new Request("http://localhost", { headers: { authorization: token } });
  it.each<[secret: string, leak: string, program: ScenarioProgram]>([
    ["a query", url, (context) => send(context, "GET", `/v1/stores?cursor=${context.readToken()}`)],
    ["an unknown path", url, (context) => send(context, "GET", `/v1/sessions/${context.readToken()}`)],
    ["a row", "in a delivered row", ({ readToken, deliver }) => deliver({ state: btoa(readToken()) })],
    ["a header of Basic", reported, failsWith((token) => ({ basic: btoa(`user:${token}`) }))],
    ["a property of an error", reported, failsWith((token) => ({ config: { headers: { token } } }))],
    ["the request of an error", reported, failsWith((token) => ({ request: request(token) }))],
    ["one of several errors", reported, failsWith((token) => ({ errors: [new Error(token)] }))],
    ["a cause", reported, failsWith((token) => ({ cause: { [Symbol("token")]: token } }))],
  ])("is leaked for a secret in %s", async (_, leak, program) => {
    expect(await find("copy-stores/no-fault").try(program)).toMatchObject({ verdict: "leaked", leak });
  });

  it.each([
    ["half of a secret", "leaked", (token: string) => token.slice(0, token.length / 2)],
    ["16 characters from its middle", "leaked", (token: string) => `…${token.slice(5, 21)}…`],
    ["its bytes in hexadecimal", "leaked", (token: string) => Buffer.from(token).toString("hex")],
    ["15 of its characters", "correct", (token: string) => `…${token.slice(5, 20)}…`],
    ["its first six characters", "correct", (token: string) => `${token.slice(0, 6)}…`],
  ] as const)("for %s in a row is %s", async (_, verdict, part) => {
    const report = await find("copy-stores/no-fault").try((context) =>
      naive({
        ...context,
        deliver: (...rows) =>
          context.deliver(...rows.map((row) => ({ ...row, note: part(context.readToken()) }))),
      }),
    );
    expect(report).toMatchObject({ verdict });
  });

  it.each(Array.from({ length: 16 }, (_, place) => place))(
    "finds 16 characters at place %i",
    async (place) => {
      const program: ScenarioProgram = ({ readToken, deliver }) =>
        deliver({ note: " ".repeat(place) + readToken().slice(place, place + 16) });
      expect(await find("copy-stores/no-fault").try(program)).toMatchObject({ verdict: "leaked" });
    },
  );

  const never = new Promise<never>(() => {});
  it.each<[name: string, verdict: string, program: ScenarioProgram]>([
    ["copy-stores/no-fault", "too slow", (context) => send(context, "GET", "/v1/stores").then(() => never)],
    ["copy-stores/reset", "too slow", (context) => send(context, "GET", "/v1/stores").then(() => never)],
    [
      "copy-stores/stalled",
      "too slow",
      // as on a busy machine: the program is late, and its own time limit has no time to pass
      async (context) => {
        await setTimeout(2000);
        for (let times = 0; times < 2; times += 1)
          await send(context, "GET", "/v1/stores").then((response) => response.text());
      },
    ],
    [
      "report-damages/timeout-after-write",
      "hung",
      (context) => send(context, "POST", "/damages", { description: "x" }),
    ],
    [
      "copy-stores/no-fault",
      "hung",
      async (context) => {
        for (let times = 0; times < 12; times += 1) await send(context, "GET", "/v1/stores");
        await never;
      },
    ],
    [
      "copy-vehicles/whole-list",
      "hung",
      async (context) => {
        for (let page = 1; page < 15; page += 1) await send(context, "GET", `/vehicles?page=${page}`);
        await never;
      },
    ],
  ])("at the time limit in %s is %s", async (name, verdict, program) => {
    expect(await find(name).try(program, { timeout: 3000 })).toMatchObject({
      verdict,
      isPass: false,
      right: expect.stringContaining(verdict === "too slow" ? "--timeout" : "limit the number") as string,
    });
  });

  it("is leaked for the data of a write that is sent to another host", async () => {
    const report = await find("report-damages/redirected-to-another-host").try(async (context) => {
      const { status } = await send(context, "POST", "/damages", { description: "Broken mirror 1" });
      if (status !== 201) throw new Error(`status ${status}`);
    });
    expect(report).toMatchObject({ verdict: "leaked", leak: "as data in a request to another host" });
  });

  it("is not leaked for a placeholder in a request", async () => {
    const program: ScenarioProgram = async (context) => {
      await send(context, "GET", "/v1/log/[redacted]");
      await naive(context);
    };
    expect(await find("copy-stores/no-fault").try(program)).toMatchObject({ verdict: "correct" });
  });

  it.each([
    ["silent", () => undefined],
    ["harmful", fails],
  ] as const)("is %s for a copy that deletes a row", async (verdict, end) => {
    const report = await find("copy-vehicles/no-fault").try(async (context) => {
      const { data } = (await (await send(context, "GET", "/vehicles?limit=1")).json()) as {
        data: { id: string }[];
      };
      for (const { id } of data) await send(context, "DELETE", `/vehicles/${id}`);
      context.deliver(...data);
      await end(context);
    });
    expect(report.verdict).toBe(verdict);
    expect(report.findings).toContainEqual({
      kind: "wrong place",
      what: expect.stringMatching(/^DELETE \/vehicles\/\S+ changed the data$/) as string,
    });
  });

  it.each([
    ["are replaced", () => ({})],
    ["are swapped", (index: number, ids: string[]) => ({ expositionId: ids.at(index - 1) })],
  ])("is silent if the IDs of expositions %s", async (_, idOf) => {
    const report = await find("change-exposition/absent-is-deleted").try(async (context) => {
      const { externalId, expositionId: changed, label } = context.task.data as Record<string, string>;
      const path = `/v1/stores/${externalId}/expositions`;
      const { items } = (await (await send(context, "GET", path)).json()) as {
        items: { expositionId: string }[];
      };
      const ids = items.map(({ expositionId }) => expositionId);
      const expositions = items.map(({ expositionId, ...item }, index) => {
        return { ...item, ...(expositionId === changed && { label }), ...idOf(index, ids) };
      });
      await send(context, "PUT", path, { expositions });
    });
    expect(report.verdict).toBe("silent");
  });

  const text = (search: RegExp | string, value: string) => (given: unknown) =>
    typeof given === "string" ? given.replace(search, value) : given;
  it.each<[name: string, verdict: string, change: (value: unknown) => unknown]>([
    ["copy-protocols/no-fault", "correct", text(/T(.*)Z/, " $1+00")],
    ["copy-protocols/no-fault", "correct", text(/T(.*)Z/, " $1")],
    ["copy-protocols/no-fault", "silent", text("Z", "+05:30")],
    ["copy-protocols/no-fault", "correct", text(":00.000Z", "Z[UTC]")],
    ["copy-protocols/no-fault", "correct", text(/T(.*).000Z/, " $1 +0000 UTC")],
    ["copy-protocols/no-fault", "silent", text(/T(.*).000Z/, " $1 +0100")],
    ["copy-protocols/times-without-offset", "correct", (value) => value],
    ["copy-templates/no-fault", "correct", (value) => (typeof value === "boolean" ? `${value}`[0] : value)],
    ["copy-templates/no-fault", "silent", (value) => (value === true ? "f" : value)],
    ["copy-templates/no-fault", "correct", (value) => (value === 1 ? "1.00" : value)],
    ["copy-templates/no-fault", "silent", (value) => value === false || value],
    ["copy-stores/null-properties", "silent", (value) => value ?? "None"],
    ["copy-stores/hard-names", "silent", text("007", "7")],
    ["copy-stores/hard-names", "silent", text(/(?<=^.{255}).*/, "")],
    ["copy-fill-rates/no-fault", "silent", (value) => (typeof value === "number" ? value.toFixed(1) : value)],
  ])("of %s is %s for another form of the values, as of a database (%#)", async (name, verdict, change) => {
    expect((await find(name).try(changing(change))).verdict).toBe(verdict);
  });

  it.each(["protocols", "photos"])("is silent for the %s of two stores", async (list) => {
    const program: ScenarioProgram = async ({ task, ...context }) => {
      for (const externalId of ["S-1", "S-2"])
        await naive({ ...context, task: { ...task, data: { ...task.data, externalId } } });
    };
    expect((await find(`copy-${list}/no-fault`).try(program)).verdict).toBe("silent");
  });

  it("of a program that sends nothing is not exercised, whatever else happens", async () => {
    const writes = scenarios.filter(({ family }) => family === "writes");
    const reports = await Promise.all(writes.map((scenario) => scenario.try(fails)));
    const others = reports.filter(({ unreached }) => unreached !== "any request");
    expect(others.map(({ scenario }) => scenario)).toEqual([]);
  });

  it.each([
    ["copy-stores/no-fault", "correct", 2],
    ["copy-stores/result-window", "unnoticeable", 1.1], // more requests than may bring nothing new
  ])("of a program that reads the details of each row is not hung: %s", async (name, verdict, passes) => {
    const report = await find(name).try(async (context) => {
      const ids: string[] = [];
      const deliver = (...rows: readonly object[]) => {
        ids.push(...rows.map((row) => (row as { externalId: string }).externalId));
        context.deliver(...rows);
      };
      await naive({ ...context, deliver });
      const requests = [...ids, ...ids].slice(0, ids.length * passes);
      for (const id of requests) await send(context, "GET", `/v1/stores/${id}`);
    });
    expect(report).toMatchObject({ verdict, isPass: true });
  });
});

describe("a remedy", () => {
  const remedies = (isWrite: boolean) =>
    scenarios
      .filter(({ plan }) => (plan.task.apply !== undefined) === isWrite)
      .map(({ name, right }) => `${name}: ${right}`);

  it("of a task that writes is not only about pages, and that of a copy is not about creating", () => {
    expect(remedies(true).filter((text) => /\bposition\b|rows of|its rows/.test(text))).toEqual([]);
    expect(remedies(false).filter((text) => /before you create/.test(text))).toEqual([]);
  });

  it("of a list with cursors asks for nothing that needs totals or the cursor that is missing", () => {
    const cursors = remedies(false).filter((text) => /^copy-(stores|protocols|photos)/.test(text));
    expect(cursors.filter((text) => /its own data|totals|next page/.test(text))).toEqual([]);
  });

  it("names what it is about", () => {
    const all = [...remedies(true), ...remedies(false)];
    expect(all.filter((text) => /\b(?:repeat it|Read it|Give it)\b/.test(text))).toEqual([]);
  });
});

describe("a run", () => {
  it("keeps the program's time limit although nothing else refers to its request", async () => {
    setFlagsFromString("--expose-gc");
    const collecting = setInterval(runInNewContext("gc") as () => void, 20);
    const signal = () => AbortSignal.timeout(1500);
    const report = await find("copy-stores/stalled").try(async ({ fetch, storeUrl }) => {
      for (const _ of [1, 2]) await fetch(`${storeUrl}/v1/stores`, { signal: signal() });
    });
    clearInterval(collecting);
    expect(report).toMatchObject({ verdict: "loud", failure: expect.stringContaining("Timeout") as string });
  });

  it("rejects with the story of a failure", async () => {
    const error: unknown = await find("change-stores/update-erases")
      .run(naive)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ScenarioError);
    expect((error as ScenarioError).message).toMatch(
      /silent[^]*location of stores S-2[^]*PUT \/v1\/stores\/S-2 200[^]*right would be/,
    );
  });

  it("never shows a token", async () => {
    const report = await find("copy-stores/token-of-words").try(naive);
    expect(report.verdict).toBe("leaked");
    expect(JSON.stringify(report)).not.toContain("correct-horse-battery-staple");
  });
});

describe("the guides", () => {
  it("list every scenario (npm run prove:scoreboard -- --list writes it)", () => {
    const guide = readFileSync(new URL("../../docs/scenarios.md", import.meta.url), "utf8");
    expect(replaceScenarioList(guide)).toBe(guide);
  });

  it("say why shelfleet stops only for scenarios in which it stops, and how many they are", () => {
    const guide = readFileSync(new URL("../../docs/prove.md", import.meta.url), "utf8");
    const [, section = ""] = guide.split("## Where another client finishes and shelfleet stops");
    const rows = [...section.matchAll(/^\| (`[^|]*`) \| (\d+) \|/gm)];
    const verdicts = recordedVerdicts("guides");
    const isNamed = (scenario: string, names: string) =>
      names.includes(`\`${scenario}\``) || names.includes(`\`${scenario.split("/")[1]}\``);
    expect(rows.length).toBeGreaterThan(3);
    for (const [, names = "", count] of rows) {
      const named = verdicts.filter(([scenario]) => isNamed(scenario, names));
      expect(named.map(([, verdict]) => verdict)).toEqual(Array(Number(count)).fill("loud"));
    }
  });
});

describe("the scoreboard in docs/prove.md", () => {
  const guide = readFileSync(new URL("../../docs/prove.md", import.meta.url), "utf8");
  const cellsOf = (start: string): string[] => {
    const line = guide.split("\n").find((row) => row.startsWith(`| ${start} |`)) ?? "";
    return line.split(" | ").map((cell) => cell.replaceAll("|", "").trim());
  };
  const columns = cellsOf("client");

  it.each([
    ["shelfleet, the guides", "guides"],
    ["shelfleet, README", "readme"],
  ])("has the recorded verdicts of %s", (client, program) => {
    const verdicts = recordedVerdicts(program).map(([, verdict]) => verdict);
    const counted = columns.slice(3).map((wanted) => verdicts.filter((verdict) => verdict === wanted).length);
    expect(cellsOf(client).slice(2).map(Number)).toEqual([verdicts.length, ...counted]);
  });

  it("is quoted as it is", () => {
    const correct = (client: string) => cellsOf(client)[columns.indexOf("correct")];
    const [, own, expert] = /(\d+)\s+to\s+(\d+)\s+of\s+\d+\s+scenarios/.exec(guide) ?? [];
    expect([own, expert]).toEqual([
      correct("shelfleet, the guides"),
      correct("openapi-fetch + ky, by an expert"),
    ]);
  });
});
