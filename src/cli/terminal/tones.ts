/** What a text means to whoever looks at the screen. */
export type Tone = 'plain' | 'start' | 'good' | 'bad' | 'attention' | 'quiet' | 'strong';

type Codes = readonly [on: number, off: number];

const CODES: Readonly<Record<Tone, Codes | null>> = {
  plain: null,
  start: [36, 39],
  good: [32, 39],
  bad: [31, 39],
  attention: [33, 39],
  quiet: [2, 22],
  strong: [1, 22],
};

/** The text in the colour of its tone; each line by itself, so that a cut between lines leaves no colour behind. */
export function paint(text: string, tone: Tone, color: boolean): string {
  const codes = CODES[tone];
  if (!color || codes === null || text === '') return text;
  return text
    .split('\n')
    .map((line) => `\u001B[${codes[0]}m${line}\u001B[${codes[1]}m`)
    .join('\n');
}

/** `NO_COLOR` and `FORCE_COLOR` as everybody has them; otherwise colours where a terminal shows them. */
export function wantsColor(
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  return isTerminal && environment['TERM'] !== 'dumb';
}

const OUTCOME_TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  progressed: 'start',
  failed: 'bad',
  timed_out: 'bad',
  stalled: 'bad',
  blocked: 'attention',
  no_progress: 'attention',
  canceled: 'quiet',
};

/** Green for work that was handed over, red for what went wrong, yellow for what waits for a person. */
export function outcomeTone(outcome: string): Tone {
  return OUTCOME_TONES[outcome] ?? 'plain';
}
