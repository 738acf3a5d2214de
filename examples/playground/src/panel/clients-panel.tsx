import { gaps } from "shelfleet/gaps";
import { Prose } from "../prose.tsx";
import { defaults, type Settings, settings } from "../settings.ts";
import { ChoiceField, NumberField } from "./fields.tsx";

const { strategies } = gaps["protocols.next-page"];

/** The options of both clients. */
export function ClientsPanel() {
  const { timeout, retry, validate, strategy, usesServerReadings } = settings.value;
  // the value of a choice is one of its options
  return (
    <section>
      <h2>Options of the clients</h2>
      <div class="grid">
        <NumberField
          label="timeout, ms"
          min={1}
          value={String(timeout)}
          onChange={(value) => change({ timeout: Number(value) || defaults.timeout })}
        />
        <ChoiceField
          label="retry"
          value={String(retry)}
          choices={same(["0", "1", "2", "3"])}
          onChange={(value) => change({ retry: Number(value) })}
        />
        <ChoiceField
          label="validate"
          value={validate}
          choices={same(["envelope", "full"])}
          onChange={(value) => change({ validate: value as Settings["validate"] })}
        />
        <ApiVersion />
        <ChoiceField
          label="strategy of protocols.next-page (store)"
          value={strategy}
          choices={same(Object.keys(strategies))}
          onChange={(value) => change({ strategy: value as Settings["strategy"] })}
        />
      </div>
      <p class="note">
        <Prose text={strategies[strategy]} />
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={usesServerReadings}
          onChange={({ currentTarget: { checked } }) => change({ usesServerReadings: checked })}
        />
        <span>Configure the clients with the readings of the server, if they have an option for them</span>
      </label>
    </section>
  );
}

function ApiVersion() {
  return (
    <label>
      apiVersion (fleet)
      <input
        type="text"
        autocomplete="off"
        placeholder="omitted"
        value={settings.value.apiVersion}
        onInput={({ currentTarget }) => change({ apiVersion: currentTarget.value })}
      />
    </label>
  );
}

function same(names: readonly string[]): [string, string][] {
  return names.map((name) => [name, name]);
}

function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
}
