import { operations } from "../operations.ts";
import { ChoiceField, NumberField, TextField } from "../panel/fields.tsx";
import type { FaultDraft, FaultEffect } from "./fault-draft.ts";
import { MatcherFields } from "./matcher-fields.tsx";
import { changeFault, possible } from "./current-draft.ts";

const methods: [id: string, title: string][] = [
  ["*", "every operation"],
  ...operations.map(({ id, api, call }): [string, string] => [id, `${api}.${call}`]),
];

/** What happens to which requests, and how often; only what is possible is offered. */
export function FaultFields({ draft }: { draft: FaultDraft }) {
  const { effects, places } = possible(draft);
  // the values of a choice are those that it was given
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
          label="What happens"
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
            label="Where"
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
        label="Requests (empty: until removed)"
        min={1}
        value={draft.times}
        onChange={(times) => changeFault({ times })}
      />
      <NumberField label="Skip first" min={0} value={draft.skip} onChange={(skip) => changeFault({ skip })} />
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
        label="Response headers, one a line"
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
