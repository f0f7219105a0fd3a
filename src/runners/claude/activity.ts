import { type Activity, activity, asText, callText } from '../session/activity.ts';
import type { ContentBlock } from './protocol.ts';

/** What a part of Claude's message is about; null for one with nothing to tell. */
export function activityOf(block: ContentBlock): Activity | null {
  switch (block.type) {
    case 'text':
      return activity('message', asText(block['text']));
    case 'thinking':
      return activity('reasoning', asText(block['thinking']));
    case 'tool_use':
      return toolActivity(asText(block['name']), block['input'], asText(block['id']));
    default:
      return null;
  }
}

function toolActivity(name: string, input: unknown, callId: string): Activity | null {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const call = { callId, input: callText(input) };
  switch (name) {
    case 'Bash':
      return activity('command', asText(fields['command']), { callId });
    case 'Edit':
    case 'Write':
    case 'NotebookEdit':
      return activity('file_change', asText(fields['file_path'] ?? fields['notebook_path']), call);
    case 'TodoWrite':
    case 'ExitPlanMode':
      return activity('plan', asText(fields['plan']) || JSON.stringify(fields['todos'] ?? name));
    default: {
      const detail = ['file_path', 'pattern', 'query', 'url', 'description']
        .map((key) => asText(fields[key]))
        .find((value) => value !== '');
      const shown = name.replace(/^mcp__(\w+?)__/, '$1.');
      return activity('tool', detail === undefined ? shown : `${shown}: ${detail}`, call);
    }
  }
}
