import { type ToolCall, type ToolResult, toolFailure } from '../../domain/tool.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { SessionInput } from '../runner.ts';

/** An agent waits for its tools one by one; more at once is a runaway. */
const MAX_CALLS_AT_ONCE = 16;
const MAX_SUMMARY = 200;

/** Answers the agent's tool calls. Whatever goes wrong is an answer the agent can read. */
export function createToolDesk(
  input: Pick<SessionInput, 'tools' | 'callTool'>,
  emit: SessionInput['onEvent'],
): (call: ToolCall) => Promise<ToolResult> {
  const offered = new Set(input.tools.map((tool) => tool.name));
  let active = 0;

  const execute = async (call: ToolCall): Promise<ToolResult> => {
    if (active >= MAX_CALLS_AT_ONCE) {
      return toolFailure('too_many_calls', `at most ${MAX_CALLS_AT_ONCE} tool calls may run at once`);
    }
    active += 1;
    try {
      return await input.callTool(call);
    } catch (error) {
      return toolFailure('tool_failed', messageOf(error));
    } finally {
      active -= 1;
    }
  };

  return async (call) => {
    if (!offered.has(call.name)) {
      emit({ type: 'unsupported_tool_call', tool: call.name });
      const names = [...offered].join(', ') || 'none';
      return toolFailure('unsupported_tool', `there is no tool named ${call.name}; offered: ${names}`);
    }
    const result = await execute(call);
    emit({ type: 'tool_call', tool: call.name, success: result.success, message: summarise(result) });
    return result;
  };
}

function summarise(result: ToolResult): string {
  const text = result.success ? (JSON.stringify(result.output) ?? '') : result.error.message;
  return text.slice(0, MAX_SUMMARY);
}
