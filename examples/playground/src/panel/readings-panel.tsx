import { useState } from "preact/hooks";
import { findOperation, operations } from "../operations.ts";
import { Prose } from "../prose.tsx";
import { chooseReading, readings, restart } from "../server.ts";
import { type SwitchableGap, switchableGaps, switchedGaps } from "./gap-list.ts";
import { gapsOf } from "./shown-panel.ts";

/** Every gap that the reference server can be switched on, with its question and its readings. */
export function ReadingsPanel() {
  const [sought, setSought] = useState("");
  const switched = switchedGaps(readings.value).length;
  const shown = switchableGaps.filter((gap) => isAbout(gap, gapsOf.value) && matches(gap, sought));
  return (
    <section class="readings">
      <h2>What the server means</h2>
      <p class="note">
        The contracts leave these open. A reading holds from the next request on; what it says about data
        holds for those that nobody looked at yet, or after a new beginning.
      </p>
      <Filter sought={sought} onSeek={setSought} />
      <div class="row">
        <span>
          {shown.length} of {switchableGaps.length} gaps, {switched} switched
        </span>
        <button type="button" class="quiet" onClick={() => restart(readings.value)}>
          Begin anew with these
        </button>
        <button type="button" class="quiet" disabled={switched === 0} onClick={chooseDefaults}>
          Back to the defaults
        </button>
      </div>
      {shown.map((gap) => (
        <Gap key={gap.id} gap={gap} />
      ))}
    </section>
  );
}

function Filter({ sought, onSeek }: { sought: string; onSeek: (sought: string) => void }) {
  return (
    <div class="row">
      <label>
        Gaps of{" "}
        <select value={gapsOf.value} onChange={({ currentTarget }) => (gapsOf.value = currentTarget.value)}>
          <option value="">every operation</option>
          {operations.map(({ id, api, call }) => (
            <option key={id} value={id}>{`${api}.${call}`}</option>
          ))}
        </select>
      </label>
      <label>
        Find{" "}
        <input type="search" value={sought} onInput={({ currentTarget }) => onSeek(currentTarget.value)} />
      </label>
    </div>
  );
}

function Gap({ gap }: { gap: SwitchableGap }) {
  const chosen = readings.value[gap.id] ?? gap.default;
  return (
    <fieldset class={chosen === gap.default ? "gap" : "gap switched"}>
      <legend>
        <code>{gap.id}</code>
      </legend>
      <p>
        <Prose text={gap.question} />
      </p>
      {gap.readings.map(({ name, meaning }) => (
        <label key={name} class="choice">
          <input
            type="radio"
            name={gap.id}
            value={name}
            checked={name === chosen}
            // the name is one of this gap's own
            onChange={() => chooseReading(gap.id, name as never)}
          />
          <span>
            <b>{name}</b>
            {name === gap.default && " (default)"}{" "}
            <span class="meaning">
              <Prose text={meaning} />
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function chooseDefaults(): void {
  for (const { id, default: usual } of switchedGaps(readings.value)) chooseReading(id, usual as never);
}

function isAbout({ id }: SwitchableGap, operation: string): boolean {
  if (operation === "") return true;
  const found = findOperation(operation);
  return found === undefined || found.gaps.includes(id);
}

function matches({ id, question, readings: known }: SwitchableGap, sought: string): boolean {
  const words = [id, question, ...known.flatMap(({ name, meaning }) => [name, meaning])]
    .join(" ")
    .toLowerCase();
  return words.includes(sought.toLowerCase());
}
