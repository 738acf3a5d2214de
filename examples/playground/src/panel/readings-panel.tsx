import { useState } from "preact/hooks";
import { operations } from "../operations.ts";
import { Prose } from "../prose.tsx";
import { routeOperations } from "../route.ts";
import { chooseReading, readings, restart } from "../server.ts";
import { type SwitchableGap, switchableGaps, switchedGaps } from "./gap-list.ts";
import { gapsOf } from "./current-panel.ts";

/** The gaps for which the reference server has several readings, each with its question and its readings. */
export function ReadingsPanel() {
  const [search, setSearch] = useState("");
  const switched = switchedGaps(readings.value).length;
  const visible = switchableGaps.filter((gap) => isAbout(gap, gapsOf.value) && matches(gap, search));
  return (
    <section class="readings">
      <h2>Readings of the server</h2>
      <p class="note">
        A gap is a question that the contract leaves open, and a reading is one of its possible meanings. A
        chosen reading applies from the next request on. If it affects generated data, it applies to data that
        was not requested yet; after a restart, it applies to all data.
      </p>
      <Filter search={search} onSeek={setSearch} />
      <div class="row">
        <span>
          {visible.length} of {switchableGaps.length} gaps, {switched} changed
        </span>
        <button type="button" class="quiet" onClick={restart}>
          Restart with these readings
        </button>
        <button type="button" class="quiet" disabled={switched === 0} onClick={chooseDefaults}>
          Use the defaults
        </button>
      </div>
      {visible.length === 0 && <p class="note">No gap matches.</p>}
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
            // the name is a reading of this gap
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
