import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ScenarioError, type ScenarioProgram, scenarios } from "../../src/prove/index.ts";
import { plantedPrograms } from "./naive.ts";
import { replaceScenarioList } from "./scenario-list.ts";

const naive = plantedPrograms["trusts every response"] as ScenarioProgram;

function find(name: string) {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`no scenario ${name}`);
  return found;
}

describe("the scenarios", () => {
  it("have different names, and at least eighty of them differ in what happens", () => {
    const names = scenarios.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(names.map((name) => name.slice(name.indexOf("/")))).size).toBeGreaterThanOrEqual(80);
  });

  it("are passed by a correct program in a world without faults", async () => {
    const plain = scenarios.filter(({ family }) => family === "plain");
    const reports = await Promise.all(plain.map((scenario) => scenario.try(naive)));
    expect(reports.filter(({ verdict }) => verdict !== "correct")).toEqual([]);
  });
});

describe("a verdict", () => {
  it.each([
    ["copy-stores/reset", naive, "correct"],
    ["copy-protocols/cursor-rejected", naive, "loud"],
    ["report-damages/reset-after-write", naive, "silent"],
    ["copy-protocols/cursor-ignored", naive, "hung"],
    ["delete-oldest-damage/deleted-with-204-then-again", naive, "harmful"],
    ["copy-stores/token-echoed", naive, "leaked"],
    ["copy-stores/maintenance", plantedPrograms["repeats without end"] as ScenarioProgram, "hammered"],
    ["copy-stores/reset", () => Promise.reject(new Error("not today")), "not exercised"],
    ["change-stores/sent-twice", naive, "does not count"],
  ] as const)("%s", async (name, program, verdict) => {
    expect(await find(name).try(program)).toMatchObject({ verdict });
  });

  const backwards = (text: string) => text.split("").toReversed().join("");
  const reported = "in what the program printed or reported";
  const leaks: Record<string, [where: string, program: ScenarioProgram]> = {
    "in a query to the service": [
      "in the URL or the body of a request",
      ({ storeUrl, readToken, fetch }) => fetch(`${storeUrl}/v1/stores?cursor=${readToken()}`),
    ],
    "in a path that no operation has": [
      "in the URL or the body of a request",
      ({ storeUrl, readToken, fetch }) => fetch(`${storeUrl}/v1/sessions/${readToken()}`),
    ],
    "backwards in a row": [
      "in a delivered row",
      ({ readToken, deliver }) => deliver({ state: backwards(readToken()) }),
    ],
    "in a property of an error": [
      reported,
      ({ readToken }) =>
        Promise.reject(
          Object.assign(new Error("no"), { config: { headers: { Authorization: readToken() } } }),
        ),
    ],
    "in the request of an error": [
      reported,
      ({ storeUrl, readToken }) => {
        const request = new Request(storeUrl, { headers: { authorization: `Bearer ${readToken()}` } });
        return Promise.reject(Object.assign(new Error("no"), { request }));
      },
    ],
    "in one of several errors": [
      reported,
      ({ readToken }) => Promise.reject(new AggregateError([new Error(`no ${readToken()}`)], "no")),
    ],
    "in the properties of a cause": [
      reported,
      ({ readToken }) => Promise.reject(new Error("no", { cause: { [Symbol("token")]: readToken() } })),
    ],
  };
  it.each(Object.entries(leaks))("is leaked for a secret %s", async (_, [leak, program]) => {
    expect(await find("copy-stores/no-fault").try(program)).toMatchObject({ verdict: "leaked", leak });
  });

  it("is leaked for the data of a write that is sent to another host", async () => {
    const report = await find("report-damages/redirected-to-another-host").try(async (context) => {
      const { fleetUrl, readKey, fetch } = context;
      const headers = { authorization: `Bearer ${readKey()}`, "content-type": "application/json" };
      const init = { method: "POST", headers, body: JSON.stringify({ description: "Broken mirror 1" }) };
      const { status } = await fetch(`${fleetUrl}/damages`, init);
      if (status !== 201) throw new Error(`status ${status}`);
    });
    expect(report).toMatchObject({ verdict: "leaked", leak: "as data in a request to another host" });
  });

  const deletesVehicles: ScenarioProgram = async ({ fleetUrl, readKey, fetch, deliver }) => {
    const headers = { authorization: `Bearer ${readKey()}` };
    const response = await fetch(`${fleetUrl}/vehicles?limit=1`, { headers });
    const { data } = (await response.json()) as { data: { id: string }[] };
    for (const { id } of data) await fetch(`${fleetUrl}/vehicles/${id}`, { method: "DELETE", headers });
    deliver(...data);
  };
  it.each([
    ["silent", deletesVehicles],
    [
      "harmful",
      (context) => Promise.resolve(deletesVehicles(context)).then(() => Promise.reject(new Error("no"))),
    ],
  ] satisfies [string, ScenarioProgram][])(
    "is %s for a copy that deletes a row",
    async (verdict, program) => {
      const report = await find("copy-vehicles/no-fault").try(program);
      expect(report.verdict).toBe(verdict);
      expect(report.findings).toContainEqual({
        kind: "wrong place",
        what: expect.stringMatching(/^DELETE \/vehicles\/\S+ changed the data$/) as string,
      });
    },
  );

  it.each([
    ["are replaced", () => ({})],
    ["are swapped", (index: number, ids: string[]) => ({ expositionId: ids.at(index - 1) })],
  ])("is silent if the IDs of expositions %s", async (_, idOf) => {
    const report = await find("change-exposition/absent-is-deleted").try(
      async ({ storeUrl, readToken, fetch, task: { data } }) => {
        const url = `${storeUrl}/v1/stores/${String(data["externalId"])}/expositions`;
        const headers = { authorization: `Bearer ${readToken()}`, "content-type": "application/json" };
        const { items } = (await (await fetch(url, { headers })).json()) as {
          items: { expositionId: string }[];
        };
        const ids = items.map(({ expositionId }) => expositionId);
        const expositions = items.map(({ expositionId, ...item }, index) => ({
          ...item,
          ...(expositionId === data["expositionId"] && { label: data["label"] }),
          ...idOf(index, ids),
        }));
        await fetch(url, { method: "PUT", headers, body: JSON.stringify({ expositions }) });
      },
    );
    expect(report.verdict).toBe("silent");
  });

  const withSpace = (value: unknown) => String(value).replace("T", " ");
  it.each([
    ["copy-protocols/no-fault", (value: unknown) => withSpace(value).replace("Z", "+00"), "correct"],
    ["copy-protocols/no-fault", (value: unknown) => withSpace(value).replace("Z", ""), "correct"],
    ["copy-protocols/no-fault", (value: unknown) => String(value).replace("Z", "+05:30"), "silent"],
    ["copy-protocols/no-fault", (value: unknown) => String(value).replace(":00.000Z", "Z"), "correct"],
    ["copy-protocols/no-fault", (value: unknown) => String(value).replace(":00.000Z", "Z[UTC]"), "correct"],
    ["copy-protocols/no-fault", (value: unknown) => withSpace(value).replace(".000Z", " UTC"), "correct"],
    [
      "copy-protocols/no-fault",
      (value: unknown) => withSpace(value).replace(".000Z", " +0000 UTC"),
      "correct",
    ],
    ["copy-protocols/no-fault", (value: unknown) => withSpace(value).replace(".000Z", " +0100"), "silent"],
    ["copy-protocols/times-without-offset", (value: unknown) => value, "correct"],
    [
      "copy-templates/no-fault",
      (value: unknown) => String(value).replace("true", "t").replace("false", "f"),
      "correct",
    ],
    ["copy-templates/no-fault", (value: unknown) => (value === true ? "f" : value), "silent"],
    ["copy-templates/no-fault", (value: unknown) => (value === 1 ? "1.00" : value), "correct"],
    ["copy-stores/null-properties", (value: unknown) => value ?? "None", "silent"],
    ["copy-templates/no-fault", (value: unknown) => value === false || value, "silent"],
    ["copy-stores/hard-names", (value: unknown) => (value === "007" ? "7" : String(value).trim()), "silent"],
  ])("of %s accepts the forms of a database only (%#)", async (name, change, verdict) => {
    const report = await find(name).try((context) => {
      const deliver = (...rows: object[]) => {
        const own = Object.entries({ deletedAt: null, isDirty: false });
        const changed = (row: object) =>
          Object.entries(row).map(([key, value]): [string, unknown] => [key, change(value)]);
        context.deliver(...rows.map((row): object => Object.fromEntries([...changed(row), ...own])));
      };
      return naive({ ...context, deliver });
    });
    expect(report.verdict).toBe(verdict);
  });

  /** Copies as the naive program does, and changes each value. */
  const changing =
    (change: (value: unknown) => unknown): ScenarioProgram =>
    (context) => {
      const changed = (row: object): object =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]));
      return naive({ ...context, deliver: (...rows) => context.deliver(...rows.map(changed)) });
    };
  const copiesTwoStores: ScenarioProgram = async (context) => {
    for (const externalId of ["S-1", "S-2"])
      await naive({ ...context, task: { ...context.task, data: { ...context.task.data, externalId } } });
  };
  it.each<[does: string, name: string, verdict: string, program: ScenarioProgram]>([
    [
      "cuts texts to 255 characters",
      "copy-stores/hard-names",
      "silent",
      changing((value) => (typeof value === "string" ? value.slice(0, 255) : value)),
    ],
    [
      "rounds to one digit",
      "copy-fill-rates/no-fault",
      "silent",
      changing((value) => (typeof value === "number" ? Number(value.toFixed(1)) : value)),
    ],
    ["copies the protocols of two stores", "copy-protocols/no-fault", "silent", copiesTwoStores],
    ["copies the photos of two stores", "copy-photos/no-fault", "silent", copiesTwoStores],
    ["does not wait", "copy-stores/wait-a-second", "hammered", naive],
    [
      "takes the 404 of a gateway for a deletion",
      "delete-damages/not-found-at-the-gateway",
      "silent",
      async ({ fleetUrl, readKey, fetch, task: { data } }) => {
        for (const id of data["ids"] as string[]) {
          const init = { method: "DELETE", headers: { authorization: `Bearer ${readKey()}` } };
          const { status } = await fetch(`${fleetUrl}/damages/${id}`, init);
          if (status !== 200 && status !== 404) throw new Error(`status ${status}`);
        }
      },
    ],
    [
      "reads the details of each row twice",
      "copy-stores/no-fault",
      "correct",
      async (context) => {
        const { storeUrl, readToken, fetch } = context;
        let ids: string[] = [];
        const deliver = (...rows: readonly object[]) => {
          ids = rows.map((row) => (row as { externalId: string }).externalId);
          context.deliver(...rows);
        };
        await naive({ ...context, deliver });
        for (const id of [...ids, ...ids])
          await fetch(`${storeUrl}/v1/stores/${id}`, { headers: { authorization: `Bearer ${readToken()}` } });
      },
    ],
  ])("of a program that %s is right: %s is %s", async (_, name, verdict, program) => {
    expect(await find(name).try(program)).toMatchObject({ verdict });
  });

  it.each(scenarios.filter(({ family }) => family === "writes").map(({ name }) => name))(
    "of a program that sends nothing says what it did not reach: %s",
    async (name) => {
      const report = await find(name).try(() => Promise.reject(new Error("not today")));
      expect(report).toMatchObject({ verdict: "not exercised", unreached: "any request" });
    },
  );

  it("is not hung while a program with many requests makes progress", async () => {
    const report = await find("copy-stores/result-window").try(async (context) => {
      const { storeUrl, readToken, fetch } = context;
      const ids: string[] = [];
      const deliver = (...rows: readonly object[]) => {
        ids.push(...rows.map((row) => (row as { externalId: string }).externalId));
        context.deliver(...rows);
      };
      await naive({ ...context, deliver });
      const headers = { authorization: `Bearer ${readToken()}` };
      for (const id of [...ids, ...ids.slice(0, 100)])
        await fetch(`${storeUrl}/v1/stores/${id}`, { headers });
    });
    expect(report).toMatchObject({ verdict: "unnoticeable", isPass: true });
  });

  it("is not leaked for a placeholder in a request", async () => {
    const program: ScenarioProgram = async (context) => {
      await context.fetch(`${context.storeUrl}/v1/log/[redacted]`);
      await naive(context);
    };
    expect(await find("copy-stores/no-fault").try(program)).toMatchObject({ verdict: "correct" });
  });

  it("is hung when the program does not end", async () => {
    const report = await find("copy-stores/no-fault").try(() => new Promise(() => undefined), {
      timeout: 20,
    });
    expect(report).toMatchObject({ verdict: "hung", right: expect.stringContaining("time limit") as string });
  });
});

describe("a run", () => {
  it("rejects with the story of a failure", async () => {
    const error = await find("change-stores/update-erases")
      .run(naive)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ScenarioError);
    expect((error as ScenarioError).message).toMatch(
      /silent[^]*location of stores S-2[^]*PUT \/v1\/stores\/S-2 200[^]*right would be/,
    );
  });

  it("never shows a token", async () => {
    let secret = "";
    const report = await find("copy-stores/token-echoed").try((context) => {
      secret = context.readToken();
      return naive(context);
    });
    expect(secret).not.toBe("");
    expect(JSON.stringify(report)).not.toContain(secret);
  });
});

describe("the guides", () => {
  const read = (guide: string) => readFileSync(new URL(`../../docs/${guide}.md`, import.meta.url), "utf8");

  it("list every scenario (npm run prove:scoreboard -- --list writes it)", () => {
    expect(replaceScenarioList(read("scenarios"))).toBe(read("scenarios"));
  });
});
