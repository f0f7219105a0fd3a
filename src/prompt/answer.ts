import type { Issue } from '../domain/issue.ts';

export interface AnswerInput {
  readonly issue: Pick<Issue, 'identifier'>;
  readonly answer: string;
}

/** Hands a person's answer to the agent that asked. */
export function answerPrompt({ issue, answer }: AnswerInput): string {
  return [
    `You stopped work on ${issue.identifier} to ask a question. The operator answers:`,
    '',
    answer.trim(),
    '',
    'Go on from where you stopped. Ask again only if the answer leaves you unable to continue.',
  ].join('\n');
}
