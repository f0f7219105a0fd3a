import type { StateSnapshot } from '../../../src/contract/state.ts';

/** What another worker told; null while it has not answered, or does not let this page ask. */
export type Told = Pick<StateSnapshot, 'counts' | 'config'> | null;

export interface WorkerTab {
  readonly origin: string;
  readonly address: string;
  readonly name: string;
  readonly isHere: boolean;
  /** Issues that wait for a person; null when nobody knows. */
  readonly needsYou: number | null;
}

const MAX_WORKERS = 20;

/** The other workers that an address names by `worker=`, each once. What is no address of a server is left out. */
export function readWorkers(search: string, own: string): readonly string[] {
  const origins = new URLSearchParams(search).getAll('worker').flatMap((text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    return url !== null && /^https?:$/.test(url.protocol) ? [url.origin] : [];
  });
  return [...new Set(origins)].filter((origin) => origin !== own).slice(0, MAX_WORKERS);
}

/** One tab for each worker, in the same order on the page of each; each is followed, and steered, on its own page. */
export function deriveTabs(
  own: string,
  others: readonly string[],
  told: ReadonlyMap<string, Told>,
): readonly WorkerTab[] {
  const all = [own, ...others].sort();
  return all.map((origin) => {
    const known = told.get(origin) ?? null;
    const rest = all.filter((other) => other !== origin).map((other) => ['worker', other]);
    return {
      origin,
      address: `${origin}/?${new URLSearchParams(rest)}`,
      name: nameOf(known?.config.workflow_path) ?? new URL(origin).host,
      isHere: origin === own,
      needsYou: known?.counts.blocked ?? null,
    };
  });
}

/** The folder of the workflow: people name their projects by it. */
function nameOf(path: string | undefined): string | null {
  return path?.split(/[\\/]/).at(-2) || null;
}
