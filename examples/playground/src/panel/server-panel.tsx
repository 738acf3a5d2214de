import { LimitsForm } from "./limits-form.tsx";
import { StateFileForm } from "./state-file-form.tsx";

/** The rate limits of the server, and its data as a file. */
export function ServerPanel() {
  return (
    <section>
      <LimitsForm />
      <StateFileForm />
    </section>
  );
}
