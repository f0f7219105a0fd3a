import type { BoardRow } from '../board/rows.ts';
import { cleanLine } from '../text/clean.ts';
import type { ActionRequest, Input, Question } from './ui.ts';

/** What a key asks for on a row: something to do, to ask back, to type, or why it is none. */
export type Answer =
  | { readonly do: ActionRequest }
  | { readonly ask: Question }
  | { readonly type: Input }
  | { readonly no: string };

export function requestStop(row: BoardRow): Answer {
  const name = cleanLine(row.identifier);
  if (row.section !== 'running') return { no: `${name} does not run` };
  return {
    ask: {
      text: `Stop the run of ${name}? The issue is then held until you retry it.`,
      request: { action: 'stop', body: { issue: row.issueId } },
    },
  };
}

export function requestRetry(row: BoardRow): Answer {
  const { issueId: issue } = row;
  const name = cleanLine(row.identifier);
  switch (row.section) {
    case 'retrying':
      return { do: { action: 'retry', body: { issue } } };
    case 'stopped':
      return { do: { action: 'clear-stop', body: { issue } } };
    case 'needs':
      if (row.source.method === 'not_pushed')
        return {
          ask: {
            text: `Push the branch of ${name} as its workspace has it?`,
            request: { action: 'push', body: { issue } },
          },
        };
      if (row.source.method === 'continuation_budget' || row.source.method === 'budget_exceeded')
        return {
          ask: {
            text: `${name} has used up its budget. Run it again with fresh budgets?`,
            request: { action: 'unblock', body: { issue } },
          },
        };
      return { do: { action: 'retry', body: { issue } } };
    case 'running':
      return { no: `${name} runs already` };
    case 'waiting':
      return { no: `${name} waits: ${cleanLine(row.source.reason)}` };
    case 'review':
    case 'recent':
      return {
        no: `${name} is not held: move it to an active state in the tracker to have it worked on again`,
      };
  }
}

export function requestAnswer(row: BoardRow): Answer {
  const name = cleanLine(row.identifier);
  if (row.section !== 'needs' || row.source.question === undefined) return { no: `${name} asks nothing` };
  return { type: input('answer', row, cleanLine(row.source.question)) };
}

export function requestMessage(row: BoardRow): Answer {
  if (row.section !== 'running')
    return { no: `${cleanLine(row.identifier)} does not run: nobody would hear it` };
  return { type: input('message', row, '') };
}

/** What is sent when the text is done; null while there is none. */
export function requestWithText({ kind, issue, text }: Input): ActionRequest | null {
  const said = text.trim();
  if (said === '' || kind === 'filter') return null;
  return { action: kind, body: { issue, text: said } };
}

function input(kind: 'answer' | 'message', row: BoardRow, about: string): Input {
  return { kind, issue: row.issueId, identifier: cleanLine(row.identifier), about, text: '' };
}
