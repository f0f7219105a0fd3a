import type { Clock } from '../../domain/clock.ts';
import { type ToolCall, type ToolResult, toolFailure } from '../../domain/tool.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { SessionInput } from '../runner.ts';
import { cutText } from '../session/activity.ts';

export interface ToolLimits {
  /** A call that takes longer is answered as failed; what it does later is of no interest to the agent. */
  readonly timeoutMs: number;
  /** Longer results are cut, so that one call cannot fill the agent's context. */
  readonly maxResultChars: number;
}

export const DEFAULT_TOOL_LIMITS: ToolLimits = { timeoutMs: 120_000, maxResultChars: 200_000 };

/** An agent waits for its tools one by one; more at once is a runaway. */
const MAX_CALLS_AT_ONCE = 16;
const MAX_SUMMARY = 200;

/** What an agent is told about its call; each protocol puts it into its own words. */
export interface ToolAnswer {
  readonly result: ToolResult;
  /** The result as text for a model, cut to the limit. */
  readonly text: string;
}

export type AnswerTool = (call: ToolCall) => Promise<ToolAnswer>;

/** Answers the agent's tool calls. Whatever goes wrong is an answer the agent can read. */
export function createToolCaller(
  input: Pick<SessionInput, 'tools' | 'callTool'>,
  emit: SessionInput['onEvent'],
  clock: Clock,
  limits: ToolLimits,
): AnswerTool {
  const offered = new Set(input.tools.map((tool) => tool.name));
  let active = 0;

  const execute = async (call: ToolCall): Promise<ToolResult> => {
    if (active >= MAX_CALLS_AT_ONCE) {
      return toolFailure('too_many_calls', `at most ${MAX_CALLS_AT_ONCE} tool calls may run at once`);
    }
    active += 1;
    let cancelTimer = (): void => {};
    const late = new Promise<ToolResult>((resolve) => {
      const give = `${call.name} took longer than ${limits.timeoutMs} ms; it may still take effect`;
      cancelTimer = clock.setTimer(limits.timeoutMs, () => resolve(toolFailure('tool_timeout', give)));
    });
    try {
      return await Promise.race([input.callTool(call), late]);
    } catch (error) {
      return toolFailure('tool_failed', messageOf(error));
    } finally {
      cancelTimer();
      active -= 1;
    }
  };

  return async (call) => {
    if (!offered.has(call.name)) {
      emit({ type: 'unsupported_tool_call', tool: call.name.slice(0, MAX_SUMMARY) });
      const names = [...offered].join(', ') || 'none';
      const refusal = `there is no tool named ${call.name}; offered: ${names}`;
      return answerOf(toolFailure('unsupported_tool', refusal), limits);
    }
    const answer = answerOf(await execute(call), limits);
    const { success } = answer.result;
    const message = (answer.result.success ? answer.text : answer.result.error.message).slice(0, MAX_SUMMARY);
    emit({
      type: 'tool_call',
      tool: call.name,
      success,
      message,
      input: cutText(JSON.stringify(call.arguments ?? null)),
      output: cutText(answer.text),
    });
    return answer;
  };
}

function answerOf(result: ToolResult, { maxResultChars }: ToolLimits): ToolAnswer {
  const whole = JSON.stringify(result.success ? (result.output ?? null) : { error: result.error });
  const cut = whole.length - maxResultChars;
  const text = cut > 0 ? `${whole.slice(0, maxResultChars)}… (${cut} characters more were cut)` : whole;
  return { result, text };
}
