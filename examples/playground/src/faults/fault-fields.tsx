import { operations } from "../operations.ts";
import { ChoiceField, NumberField, TextField } from "../panel/fields.tsx";
import type { FaultDraft, FaultEffect } from "./fault-draft.ts";
import { MatcherFields } from "./matcher-fields.tsx";
import { changeFault, possible } from "./current-draft.ts";

const methods: [id: string, title: string][] = [
  ["*", "every operation"],
  ...operations.map(({ id, api, call }): [string, string] => [id, `${api}.${call}`]),
];

/** The operation, effect and number of requests of a fault. Shows only the fields that the effect has. */
export function FaultFields({ draft }: { draft: FaultDraft }) {
  const { effects, places } = possible(draft);
  // the value of a choice is one of its options
  return (
    <>
      <div class="grid">
        <ChoiceField
          label="Operation"
          value={draft.operation}
          choices={methods}
          onChange={(operation) => changeFault({ operation: operation as FaultDraft["operation"] })}
        />
        <ChoiceField
          label="Effect"
          value={draft.effect}
          choices={effects}
          onChange={(effect) => changeFault({ effect: effect as FaultEffect })}
        />
        {draft.effect === "delay" && (
          <NumberField
            label="Milliseconds"
            min={0}
            required
            value={draft.ms}
            onChange={(ms) => changeFault({ ms })}
          />
        )}
        {places.length > 1 && (
          <ChoiceField
            label="Position"
            value={draft.at}
            choices={places}
            onChange={(at) => changeFault({ at: at as FaultDraft["at"] })}
          />
        )}
        {draft.effect === "status" && <StatusField draft={draft} />}
        <CountFields draft={draft} />
      </div>
      {draft.effect === "status" && <ResponseFields draft={draft} />}
      <MatcherFields draft={draft} />
    </>
  );
}

function StatusField({ draft }: { draft: FaultDraft }) {
  return (
    <NumberField
      label="Status"
      min={200}
      max={599}
      required
      value={draft.status}
      onChange={(status) => changeFault({ status })}
    />
  );
}

function CountFields({ draft }: { draft: FaultDraft }) {
  return (
    <>
      <NumberField
        label="Requests (empty: no limit)"
        min={1}
        value={draft.times}
        onChange={(times) => changeFault({ times })}
      />
      <NumberField
        label="Skipped requests"
        min={0}
        value={draft.skip}
        onChange={(skip) => changeFault({ skip })}
      />
      <NumberField
        label="Probability, 0 to 1"
        min={0}
        max={1}
        step="any"
        value={draft.rate}
        onChange={(rate) => changeFault({ rate })}
      />
    </>
  );
}

function ResponseFields({ draft }: { draft: FaultDraft }) {
  return (
    <div class="grid">
      <TextField
        label="Response headers, one per line"
        placeholder="Retry-After: 2"
        value={draft.headers}
        onChange={(headers) => changeFault({ headers })}
      />
      <TextField
        label="Response body, JSON"
        placeholder="empty: the documented body"
        value={draft.body}
        onChange={(body) => changeFault({ body })}
      />
    </div>
  );
}
