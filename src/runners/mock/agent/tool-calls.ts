import type { ToolResult } from '../../../domain/tool.ts';
import { send } from './output.ts';

/** Calls of the runner's tools that wait for their answer. */
export interface ToolCalls {
  /** Rejects when `signal` is aborted first. */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
  accept(id: string, result: ToolResult): void;
}

export function createToolCalls(): ToolCalls {
  const waiting = new Map<string, (result: ToolResult) => void>();
  let calls = 0;
  return {
    async call(name, args, signal) {
      signal.throwIfAborted();
      calls += 1;
      const id = `call-${calls}`;
      const answer = new Promise<ToolResult>((resolve, reject) => {
        waiting.set(id, resolve);
        signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
      });
      // An interrupt while the call is still being written must not count as unhandled.
      answer.catch(() => {});
      await send({ type: 'tool_call', id, name, arguments: args });
      return answer;
    },
    accept(id, result) {
      waiting.get(id)?.(result);
      waiting.delete(id);
    },
  };
}
