import { type Activity, activity } from '../session/activity.ts';
import type { ContentBlock } from './protocol.ts';

/** What a part of Claude's message is about; null for one with nothing to tell. */
export function activityOf(block: ContentBlock): Activity | null {
  switch (block.type) {
    case 'text':
      return activity('message', text(block['text']));
    case 'thinking':
      return activity('reasoning', text(block['thinking']));
    case 'tool_use':
      return toolActivity(text(block['name']), block['input']);
    default:
      return null;
  }
}

function toolActivity(name: string, input: unknown): Activity | null {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  switch (name) {
    case 'Bash':
      return activity('command', text(fields['command']));
    case 'Edit':
    case 'Write':
    case 'NotebookEdit':
      return activity('file_change', text(fields['file_path'] ?? fields['notebook_path']));
    case 'TodoWrite':
    case 'ExitPlanMode':
      return activity('plan', text(fields['plan']) || JSON.stringify(fields['todos'] ?? name));
    default: {
      const detail = ['file_path', 'pattern', 'query', 'url', 'description']
        .map((key) => text(fields[key]))
        .find((value) => value !== '');
      const shown = name.replace(/^mcp__(\w+?)__/, '$1.');
      return activity('tool', detail === undefined ? shown : `${shown}: ${detail}`);
    }
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
