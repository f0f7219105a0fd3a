import type { Readable, Writable } from 'node:stream';
import type { Questions } from '../../trackers/tracker-setup.ts';

export class InitCancelled extends Error {}

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/** Questions in a terminal; `InitCancelled` when a person gives up. The library is loaded when there is somebody to ask. */
export async function openQuestions(terminal: Terminal): Promise<Questions> {
  const { confirm, isCancel, select, text } = await import('@clack/prompts');
  function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
    if (isCancel(answer)) throw new InitCancelled('cancelled');
    return answer as Exclude<Answer, symbol>;
  }
  return {
    async choose(message, options) {
      const choices = options.map(({ value, label, hint }) => ({ value: value as string, label, hint }));
      const answer = answered(await select<string>({ message, options: choices, ...terminal }));
      const chosen = options.find(({ value }) => value === answer);
      if (chosen === undefined) throw new Error(`no option ${answer}`);
      return chosen.value;
    },
    async text(message, initial, check) {
      const validate = (answer: string | undefined): string | undefined => check(answer ?? '') ?? undefined;
      return answered(await text({ message, initialValue: initial, validate, ...terminal })) ?? '';
    },
    async confirm(message, initial) {
      return answered(await confirm({ message, initialValue: initial, ...terminal }));
    },
  };
}
