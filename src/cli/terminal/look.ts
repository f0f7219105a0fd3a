import type { Environment } from '../../config/read/environment.ts';
import { wantsColor } from './tones.ts';

/** The columns of the terminal that reads; null when nobody does (a pipe, a file), and then nothing is broken or cut. */
export type Columns = number | null;

/** How a command's output looks: one set of choices for everything it prints. */
export interface Look {
  readonly columns: Columns;
  readonly color: boolean;
  /** Times in UTC instead of the local zone. */
  readonly utc: boolean;
}

/** For a reader that is no terminal. */
export const PLAIN: Look = { columns: null, color: false, utc: false };

export interface LookIo {
  readonly environment: Environment;
  outputColumns?(): number | null;
}

/** The look that standard output asks for now; a terminal may have changed its width since the last time. */
export function lookOf(io: LookIo, { utc = false }: { readonly utc?: boolean } = {}): Look {
  const columns = io.outputColumns?.() ?? null;
  return { columns, color: wantsColor(io.environment, columns !== null), utc };
}
