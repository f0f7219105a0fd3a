import { useRight } from '../access/use-access.ts';

/** How to get the right to act, for who has come without it. */
export function LookingOnly() {
  if (useRight() !== 'look') return null;
  return (
    <p className="looking-only">
      You are looking only. To act, run <code>aiops open</code> in the folder of the workflow, or open the
      link that the worker printed at its start.
    </p>
  );
}
