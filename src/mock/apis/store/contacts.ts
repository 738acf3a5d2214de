import type { Contact, ContactInput, ContactReplacement } from "../../../../generated/store.ts";
import { type ApiResponse, type Issue, ok } from "../../http/api-response.ts";
import { withoutDuplicates, duplicateIssues } from "./duplicates.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { withResponseTimes } from "./response-times.ts";
import { externalIdOf, requireStore, storeOf } from "./path-ids.ts";
import { RetainedRows } from "./retained-rows.ts";
import { isRfc5321Mailbox } from "./mailbox.ts";
import { omitNullProperty } from "./nullable-properties.ts";

/** `GET /v1/stores/{externalId}/contacts` */
export const getContacts: StoreHandler = { find: requireStore, run: contactList };

/** `PUT /v1/stores/{externalId}/contacts` */
export const putContacts: StoreHandler = {
  find: requireStore,
  check: (context) => [
    ...duplicateIssues(inputs(context), "contacts", phone, context.readings),
    ...emailIssues(context),
  ],
  run: (context) => {
    const { data, readings } = context;
    const key = externalIdOf(context);
    const stored = readings["lists.ids-after-replace"] === "kept" ? (data.contacts.get(key) ?? []) : [];
    const retained = new RetainedRows(stored, content);
    const wanted = withoutDuplicates(inputs(context), phone, readings);
    data.contacts.set(
      key,
      wanted.map((input) => retained.take(newContact(context, input))),
    );
    return contactList(context);
  },
};

function inputs({ body }: StoreContext): ContactInput[] {
  return (body as ContactReplacement).contacts;
}

/** gap contacts.email-format */
function emailIssues(context: StoreContext): Issue[] {
  if (context.readings["contacts.email-format"] === "lenient") return [];
  return inputs(context).flatMap(({ email }, index) =>
    typeof email !== "string" || isRfc5321Mailbox(email)
      ? []
      : [
          {
            path: `contacts.${index}.email`,
            message: "must be an e-mail address as RFC 5321 defines it",
            code: "invalid_format",
          },
        ],
  );
}

/** Identifies a contact. gap lists.duplicates */
function phone(input: ContactInput): string {
  return input.phone;
}

function newContact({ ids, clock }: StoreContext, input: ContactInput): Contact {
  return {
    contactId: ids.uuid(),
    contactType: input.contactType ?? "store",
    name: input.name,
    phone: input.phone,
    email: input.email ?? null,
    hasWhatsapp: input.hasWhatsapp ?? false,
    createdAt: clock.now().toISOString(),
  };
}

function content({ contactType, name, phone: number, email, hasWhatsapp }: Contact): string {
  return JSON.stringify([contactType, name, number, email ?? null, hasWhatsapp]);
}

function contactList(context: StoreContext): ApiResponse {
  const rows = context.data.contacts.get(externalIdOf(context)) ?? [];
  const items = omitNullProperty(rows, "email", context.readings).map((row) =>
    withResponseTimes(row, ["createdAt"], context.readings),
  );
  return ok({ externalId: storeOf(context).externalId, items });
}
