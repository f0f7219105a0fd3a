import { includesState } from '../../../domain/state-name.ts';
import type { SurveyedIssue } from '../../../domain/survey.ts';
import type { SurveySource } from '../../tracker.ts';
import type { ForgeRecord } from '../record.ts';
import type { LabelStates } from '../states/label-states.ts';
import type { ForgeReads } from './forge-reads.ts';

interface ForgeSurveyOptions {
  readonly states: LabelStates;
  readonly reads: Pick<ForgeReads, 'list'>;
  readonly identifierPrefix: string;
}

/** One page of the open issues, whatever their labels. */
export function createForgeSurvey({ states, reads, identifierPrefix }: ForgeSurveyOptions): SurveySource {
  /** A label that is meant as a state and stands for none is shown in the place of the state. */
  const stateOf = (record: ForgeRecord): string | null => {
    const reading = states.read(record);
    return reading.state ?? reading.labels[0] ?? null;
  };
  const inFlow = [...states.active, ...states.terminal];
  return {
    cost: 'request',
    async read(signal) {
      const { records, malformed, capped } = await reads.list({ label: null, state: 'open' }, signal, 1);
      const others = records
        .map((record) => ({ record, state: stateOf(record) }))
        .filter(({ state }) => state === null || !includesState(inFlow, state))
        .sort((a, b) => a.record.number - b.record.number)
        .map(
          ({ record, state }): SurveyedIssue => ({
            id: String(record.number),
            identifier: `${identifierPrefix}${record.number}`,
            state,
          }),
        );
      return {
        others,
        complete: !capped,
        finished: null,
        knownStates: knownNames(states),
        ignored: malformed.map((number) => ({
          name: number === 0 ? 'an entry without a number' : `${identifierPrefix}${number}`,
          why: 'the forge gave it without the fields every issue has',
        })),
      };
    },
  };
}

/** Every name an open issue's state or state label can have. */
function knownNames({ active, inactive, terminal, labels, openState, closedState }: LabelStates): string[] {
  const native = [openState, closedState].filter((state) => state !== null);
  const written = labels.flatMap(({ label, state }) => [label, state]);
  return [...new Set([...active, ...inactive, ...terminal, ...native, ...written])];
}
