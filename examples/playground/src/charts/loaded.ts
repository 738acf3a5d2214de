import { useEffect, useState } from "preact/hooks";
import { keyScopes, keyState, readings, server } from "../server.ts";
import { settings } from "../settings.ts";

export interface Loaded<Data> {
  data: Data | null;
  error: unknown;
  isLoading: boolean;
  again: () => void;
}

/** Reads the data of a view when it opens, and again when the server or a setting changes. */
export function useLoaded<Data>(read: () => Promise<Data>): Loaded<Data> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Omit<Loaded<Data>, "again">>({
    data: null,
    error: undefined,
    isLoading: true,
  });
  useEffect(() => {
    let isStale = false;
    setState(({ data }) => ({ data, error: undefined, isLoading: true }));
    read().then(
      (data) => !isStale && setState({ data, error: undefined, isLoading: false }),
      (error: unknown) => !isStale && setState({ data: null, error, isLoading: false }),
    );
    return () => {
      isStale = true;
    };
  }, [read, attempt, server.value, readings.value, keyScopes.value, keyState.value, settings.value]);
  return { ...state, again: () => setAttempt((before) => before + 1) };
}
