import { findOperation, isList, operations } from "../operations.ts";
import { type Deed, deedsFor, type FaultDraft, placesFor } from "./fault.ts";
import { ChoiceField, NumberField } from "./fields.tsx";

const methods = operations.map(({ id, api, call }) => [id, `${api}.${call}`] as const);

interface Props {
  draft: FaultDraft;
  onChange: (draft: FaultDraft) => void;
}

/** What happens to which operation, and how often; only what can be is offered. */
export function FaultFields({ draft, onChange }: Props) {
  const change = (part: Partial<FaultDraft>): void => onChange(repaired({ ...draft, ...part }));
  const { deeds, places } = possible(draft);
  // the values of a choice are those that it was given
  return (
    <div class="grid">
      <ChoiceField
        label="Operation"
        value={draft.operation}
        choices={methods}
        onChange={(operation) => change({ operation: operation as FaultDraft["operation"] })}
      />
      <ChoiceField
        label="What happens"
        value={draft.deed}
        choices={deeds}
        onChange={(deed) => change({ deed: deed as Deed })}
      />
      {draft.deed === "status" && (
        <NumberField
          label="Status"
          min={200}
          max={599}
          required
          value={draft.status}
          onChange={(status) => change({ status })}
        />
      )}
      {draft.deed === "delay" && (
        <NumberField
          label="Milliseconds"
          min={0}
          required
          value={draft.ms}
          onChange={(ms) => change({ ms })}
        />
      )}
      {places.length > 1 && (
        <ChoiceField
          label="Where"
          value={draft.at}
          choices={places}
          onChange={(at) => change({ at: at as FaultDraft["at"] })}
        />
      )}
      <NumberField
        label="Requests (empty: until removed)"
        min={1}
        value={draft.times}
        onChange={(times) => change({ times })}
      />
    </div>
  );
}

function possible({ operation: id, deed }: FaultDraft) {
  const operation = findOperation(id);
  return {
    deeds: deedsFor(operation !== undefined && isList(operation)),
    places: placesFor(deed, operation?.method ?? "GET"),
  };
}

/** A choice that another choice has made impossible gives way. */
function repaired(draft: FaultDraft): FaultDraft {
  const { deeds } = possible(draft);
  const deed = deeds.some(([known]) => known === draft.deed) ? draft.deed : "status";
  const { places } = possible({ ...draft, deed });
  return { ...draft, deed, at: places.some(([known]) => known === draft.at) ? draft.at : "" };
}
