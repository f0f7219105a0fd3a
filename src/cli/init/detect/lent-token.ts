import type { TokenSetup } from '../../../trackers/tracker-setup.ts';
import { TRACKERS } from '../kinds.ts';
import { askProgram, type Place } from './ask-program.ts';

/** A token that a program gives to whoever is signed in to it. */
export interface LentToken {
  /** Of the tracker it is for. */
  readonly kind: string;
  readonly program: string;
  readonly token: string;
}

/** The token of a tracker's own program, where that is installed and signed in, no variable holds one, and no flag forbids it. */
export async function readLentToken(
  kinds: readonly string[],
  variables: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  place: Place,
): Promise<LentToken | null> {
  for (const { kind, setup } of TRACKERS) {
    const { lender, variables: names = [] } = setup.token ?? {};
    const isSet = names.some((name) => variables.includes(name));
    if (lender === undefined || isSet || !kinds.includes(kind) || flags[lenderFlag(lender)] === false)
      continue;
    const token = await askProgram(lender.program, lender.args, place);
    if (token !== null && /^\S+$/.test(token)) return { kind, program: lender.program, token };
  }
  return null;
}

/** The name of the flag that decides about its use, as `--gh-token` is `ghToken`. */
export function lenderFlag({ program }: NonNullable<TokenSetup['lender']>): string {
  return `${program}Token`;
}
