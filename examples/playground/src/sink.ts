import type { MirrorSink, RecordSink, SavedEntry } from "shelfleet/sync";

interface Entry extends SavedEntry {
  ref: string | null;
  item: unknown;
}

/** A sink in memory. `sqliteSink` has the same methods over a database. */
export function memorySink(entries: Map<string, Entry>): MirrorSink<unknown> & RecordSink {
  let saved: string | undefined;
  const records = new Map<string, string>();
  const unseen = (pass: number) =>
    [...entries]
      .filter(([, entry]) => entry.pass < pass)
      .map(([id, { ref, pass: last }]) => ({ id, ref, pass: last }));
  return {
    load: () => saved,
    find: (ids) => new Map([...entries].filter(([id]) => ids.includes(id))),
    save: ({ entries: changed, seen, deleted, pass, state }) => {
      for (const { id, ref, hash, item } of changed) entries.set(id, { ref, hash, item, pass });
      for (const id of seen) Object.assign(entries.get(id) ?? {}, { pass });
      for (const id of deleted) entries.delete(id);
      saved = state;
    },
    countUnseen: (pass) => unseen(pass).length,
    findUnseen: (pass, after) =>
      unseen(pass)
        .filter(({ id }) => id > after)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, 100),
    findRecords: (keys) => new Map([...records].filter(([key]) => keys.includes(key))),
    saveRecord: (key, before, text) => {
      if (records.get(key) !== before) return false;
      records.set(key, text);
      return true;
    },
  };
}
