import type { CallFacts } from '../../domain/agent-event.ts';
import {
  type Activity,
  activity,
  asText,
  callText,
  MAX_ACTIVITY_TEXT,
  planStep,
} from '../session/activity.ts';
import type { ThreadItem } from './generated/protocol.d.ts';
import type { Item } from './protocol.ts';

/** Of what is not checked only the names are believed. */
type Change = {
  readonly [F in keyof Extract<ThreadItem, { type: 'fileChange' }>['changes'][number]]?: unknown;
};

const MAX_NAMES = 5;

/** What an item that begins is about, for those that can take long; else null. */
export function activityOfStart(item: Item): Activity | null {
  return item.type === 'commandExecution'
    ? activity('command', commandText(item), { callId: asText(item['id']) })
    : null;
}

/** What a finished item is about; null for those with nothing to tell. */
export function activityOfEnd(item: Item): Activity | null {
  switch (item.type as ThreadItem['type']) {
    case 'agentMessage':
    case 'exitedReviewMode':
      return activity('message', asText(item['text'] ?? item['review']));
    case 'reasoning':
      return activity('reasoning', texts(item['summary']).join('\n'));
    case 'plan':
      return activity('plan', asText(item['text']));
    case 'commandExecution':
      return activity('command', `${commandText(item)} (${commandEnd(item)})`, commandFacts(item));
    case 'fileChange':
      return activity('file_change', fileChangeText(item));
    case 'mcpToolCall':
    case 'dynamicToolCall':
      return activity(
        'tool',
        `${[asText(item['server']), asText(item['tool'])].filter(Boolean).join('.')} (${asText(item['status'])})`,
        toolFacts(item),
      );
    case 'webSearch':
      return activity('tool', `web search: ${asText(item['query'])}`);
    case 'contextCompaction':
      return activity('reasoning', 'the conversation was shortened to fit the context window');
    default:
      return null;
  }
}

export function planActivity(
  plan: readonly { readonly step: string; readonly status: string }[],
): Activity | null {
  return activity('plan', plan.map(({ step, status }) => planStep(status, step)).join('\n'));
}

/** The paths a file change touches, in the words of the item. */
export function changedPaths(item: Item): readonly string[] {
  const { changes } = item;
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change: Change | null) => (change?.path === undefined ? [] : asText(change.path)));
}

/** What the shell was told, without the shell around it. */
function commandText(item: Item): string {
  const command = asText(item['command']);
  const inner = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c (['"]?)([\s\S]*)\1$/.exec(command)?.[2];
  return (inner ?? command).slice(0, MAX_ACTIVITY_TEXT - 100);
}

function commandFacts(item: Item): CallFacts {
  const { exitCode, durationMs } = item;
  return {
    callId: asText(item['id']),
    input: commandText(item),
    output: callText(asText(item['aggregatedOutput'])),
    ...(typeof exitCode === 'number' ? { exitCode } : {}),
    ...(typeof durationMs === 'number' ? { durationMs } : {}),
    failed: typeof exitCode === 'number' ? exitCode !== 0 : item['status'] === 'failed',
  };
}

function toolFacts(item: Item): CallFacts {
  const { durationMs } = item;
  return {
    callId: asText(item['id']),
    input: callText(item['arguments']),
    output: callText(item['error'] ?? item['result'] ?? item['contentItems']),
    ...(typeof durationMs === 'number' ? { durationMs } : {}),
    failed: item['status'] === 'failed',
  };
}

function commandEnd(item: Item): string {
  const { status, exitCode, durationMs } = item;
  const how = typeof exitCode === 'number' ? `exit ${exitCode}` : asText(status);
  return typeof durationMs === 'number' ? `${how}, ${(durationMs / 1000).toFixed(1)} s` : how;
}

function fileChangeText(item: Item): string {
  const paths = changedPaths(item);
  const more = paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : '';
  const verb = item['status'] === 'completed' ? 'changed' : `change ${asText(item['status'])}:`;
  return `${verb} ${paths.slice(0, MAX_NAMES).join(', ')}${more}`;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(asText) : [];
}
