import { useState } from "preact/hooks";
import { operations } from "../operations.ts";
import { Prose } from "../prose.tsx";
import { routeOperations } from "../route.ts";
import { chooseReading, readings, restart } from "../server.ts";
import { type SwitchableGap, switchableGaps, switchedGaps } from "./gap-list.ts";
import { gapsOf } from "./current-panel.ts";

/** Every gap that the reference server can be switched on, with its question and its readings. */
export function ReadingsPanel() {
  const [search, setSearch] = useState("");
  const switched = switchedGaps(readings.value).length;
  const visible = switchableGaps.filter((gap) => isAbout(gap, gapsOf.value) && matches(gap, search));
  return (
    <section class="readings">
      <h2>Readings of the server</h2>
      <p class="note">
        The contracts leave these questions open. A reading applies from the next request on. If it is about
        data, it applies to those that were not read yet, or after a restart.
      </p>
      <Filter search={search} onSeek={setSearch} />
      <div class="row">
        <span>
          {visible.length} of {switchableGaps.length} gaps, {switched} switched
        </span>
        <button type="button" class="quiet" onClick={restart}>
          Restart with these
        </button>
        <button type="button" class="quiet" disabled={switched === 0} onClick={chooseDefaults}>
          Use the defaults
        </button>
      </div>
      {visible.length === 0 && <p class="note">No gap is about this.</p>}
      {visible.map((gap) => (
        <Gap key={gap.id} gap={gap} />
      ))}
    </section>
  );
}

function Filter({ search, onSeek }: { search: string; onSeek: (search: string) => void }) {
  return (
    <div class="row">
      <label>
        Gaps of{" "}
        <select value={gapsOf.value} onChange={({ currentTarget }) => (gapsOf.value = currentTarget.value)}>
          <option value="view">this view: {routeOperations.value.map(({ call }) => call).join(", ")}</option>
          <option value="">every operation</option>
          {operations.map(({ id, api, call }) => (
            <option key={id} value={id}>{`${api}.${call}`}</option>
          ))}
        </select>
      </label>
      <label>
        Find{" "}
        <input type="search" value={search} onInput={({ currentTarget }) => onSeek(currentTarget.value)} />
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

function isAbout({ id }: SwitchableGap, chosen: string): boolean {
  if (chosen === "") return true;
  const visible = chosen === "view" ? routeOperations.value : operations.filter((one) => one.id === chosen);
  return visible.some(({ gaps }) => gaps.includes(id));
}

function matches({ id, question, readings: known }: SwitchableGap, search: string): boolean {
  const words = [id, question, ...known.flatMap(({ name, meaning }) => [name, meaning])]
    .join(" ")
    .toLowerCase();
  return words.includes(search.toLowerCase());
}
