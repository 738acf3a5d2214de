import { control, isAnswer, succeeds } from "../../controls.ts";
import { isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { type ExperimentTools, openParts } from "../../experiment-tools.ts";
import type { ScratchStore } from "../../scratch.ts";
import { isSameUuid } from "./identity.ts";
import { timesIn } from "./range-reader.ts";
import { isAcceptedWithout, isReadBack, scratchOf, updatableStore } from "./writes.ts";

const CONTACT = {
  contactType: "store",
  name: "Probe",
  phone: "+48 000 000 000",
  email: "probe@example.com",
  hasWhatsapp: false,
};
const EXPECTATION = {
  productCategory: "DRINKS",
  displayType: "FRIDGE_DRINKS",
  weekday: 1,
  protocolTime: "12:00",
  expectedFillRatio: 50,
};

/** A list that can be replaced, and a row for it. */
interface Replaceable {
  readonly scratch: ScratchStore;
  readonly name: "contacts" | "expectations";
  readonly row: JsonObject;
  readonly idProperty: string;
  /** The property in which two equal rows may differ. */
  readonly detail: JsonObject;
  /** A row that does not equal the first one. */
  readonly other: JsonObject;
}

export async function* replaceableLists(tools: ExperimentTools): AsyncGenerator<Replaceable, void> {
  const scratch = await scratchOf(tools);
  if (await scratch.lists.isReplaceable("contacts")) {
    yield {
      scratch,
      name: "contacts",
      row: CONTACT,
      idProperty: "contactId",
      detail: { hasWhatsapp: true },
      other: { ...CONTACT, name: "Other", phone: "+48 000 000 001", email: "other@example.com" },
    };
  }
  if (await scratch.lists.isReplaceable("expectations")) {
    yield {
      scratch,
      name: "expectations",
      row: EXPECTATION,
      idProperty: "expectationId",
      detail: { expectedFillRatio: 60 },
      other: { ...EXPECTATION, displayType: "FRIDGE_SALADS", weekday: 2 },
    };
  }
}

const EMPTY_LIST = "a scratch store without contacts or without expectations";

export const idsAfterReplace = experiment({
  gap: "lists.ids-after-replace",
  cost: 2,
  after: ["stores.create-requirements"],
  needs: EMPTY_LIST,
  assumes: "Contacts and expectations are replaced in the same way.",
  everyEntity: true,
  observe: async function* observe(tools) {
    for await (const { scratch, name, row, idProperty } of replaceableLists(tools)) {
      const first = await scratch.lists.set(name, [row]);
      await tools.once(name, async () => first);
      const second = await scratch.lists.put(name, [row]);
      const [before, after] = [rowsOf(first)[0]?.[idProperty], rowsOf(second)[0]?.[idProperty]];
      if (typeof before !== "string" || typeof after !== "string") continue;
      const isKept = isSameUuid(before, after);
      const [time, laterTime] = [first, second].map((list) => timesIn(rowsOf(list)[0] ?? {})[0]);
      const reason = `An equal element of ${name} ${isKept ? "kept" : "changed"} its ID, and its time is ${time === laterTime ? "the same" : "another"}.`;
      const isRead = await isReadBack(tools, second, (list) => rowsOf(list)[0]?.[idProperty]);
      const observed = { isKept, isSameTime: time === laterTime };
      yield observation(name, observed, reason, [succeeds(first), succeeds(second), isRead], first, second);
    }
  },
  // two replacements may have the same time
  readings: { new: { isKept: false }, kept: { isKept: true, isSameTime: true } },
});

interface Duplicates {
  readonly status: number;
  readonly count: number;
  /** Whether the remaining row is the last one. */
  readonly isLast?: boolean;
}

export const duplicates = experiment<"lists.duplicates", Duplicates>({
  gap: "lists.duplicates",
  cost: 1,
  after: ["lists.ids-after-replace"],
  needs: EMPTY_LIST,
  assumes: "Contacts and expectations are replaced like every list of a store.",
  everyEntity: true,
  observe: async function* observe(tools) {
    for await (const { scratch, name, row, detail, other } of replaceableLists(tools)) {
      const before = await scratch.lists.set(name, [row]);
      const equal = await scratch.lists.put(name, [row, row]);
      const count = rowsOf(equal).length;
      const observed = { status: equal.status, count };
      const reason = `Two equal elements of ${name}: status ${equal.status}, ${count} kept.`;
      const isAccepted = await isAcceptedWithout(scratch, equal, () => scratch.lists.put(name, [row, other]));
      const isRead = await isReadBack(tools, equal, (read) => rowsOf(read).length);
      const controls = [succeeds(before), isRead, isAccepted, isAnswer(equal)] as const;
      if (!isOk(equal) || count !== 1) yield observation(name, observed, reason, controls, before, equal);
      if (!isOk(equal) || count !== 1) continue;
      const differing = await scratch.lists.put(name, [row, { ...row, ...detail }]);
      const rows = rowsOf(differing);
      const [property = ""] = Object.keys(detail);
      const isLast = rows.length === 1 && rows[0]?.[property] === detail[property];
      const more = `${reason} Of two that differ in ${property}, ${rows.length} stayed.`;
      const both = await scratch.lists.put(name, [row, other]);
      const areKept = control("two other elements both stay", isOk(both) && rowsOf(both).length === 2);
      yield observation(name, { ...observed, isLast }, more, [areKept, ...controls], equal, differing);
    }
  },
  readings: {
    accepted: { status: 200, count: 2 },
    "last-wins": ({ status, count, isLast }) => status === 200 && count === 1 && isLast === true,
    rejected: { status: 400 },
  },
});

/** Addresses that RFC 5321 does not allow. */
const DOTTED = ["a..b@example.com", "a@example..com"] as const;

/** An address that the lenient format allows. */
const DOTLESS = "probe@example";

export const emailFormat = experiment({
  gap: "contacts.email-format",
  cost: 2,
  after: ["stores.create-requirements", "stores.null-store-type"],
  needs: "a scratch store without contacts",
  assumes: "An address with two dots in a row tells the two formats apart.",
  parts: DOTTED,
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    if (!(await scratch.lists.isReplaceable("contacts")))
      throw new Missing("a scratch store without contacts");
    const plain = await tools.once("contacts", () => scratch.lists.set("contacts", [CONTACT]));
    for (const email of openParts(tools, DOTTED)) {
      const exchange = await scratch.lists.put("contacts", [{ ...CONTACT, email }]);
      const reason = `The e-mail address ${email}: status ${exchange.status}.`;
      const isAccepted = await isAcceptedWithout(scratch, exchange, () =>
        scratch.lists.put("contacts", [CONTACT]),
      );
      const controls = [succeeds(plain), isAccepted, isStored, isAnswer(exchange)] as const;
      const isSent = tools.round > 1 && isOk(exchange);
      const dotless = isSent
        ? await scratch.lists.put("contacts", [{ ...CONTACT, email: DOTLESS }])
        : exchange;
      const observed = { status: exchange.status, isDotless: isOk(dotless) };
      yield observation(email, observed, reason, controls, plain, exchange);
    }
  },
  readings: { lenient: { status: 200, isDotless: true }, rfc5321: { status: 400 } },
});
