import type { AgentEvent } from '../../domain/agent-event.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ToolAnswer } from '../tool-desk.ts';
import { type ApprovalFacts, decideRequest } from './approvals.ts';
import { type RequestId, toolCallSchema } from './protocol.ts';
import type { Rpc } from './rpc.ts';

export interface RequestDeskOptions {
  readonly clock: Clock;
  readonly facts: ApprovalFacts;
  rpc(): Pick<Rpc, 'answer' | 'refuse'>;
  answerTool(call: { name: string; arguments: unknown }): Promise<ToolAnswer>;
  emit(event: AgentEvent): void;
  /** A person has to decide: the turn ends with this question. */
  onQuestion(method: string, question: string): void;
}

const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;

/** Answers every request of the server, at once or when its tool is done; none is ever left open. */
export function createRequestDesk(
  options: RequestDeskOptions,
): (id: RequestId, method: string, params: unknown) => void {
  const callTool = (id: RequestId, params: unknown): void => {
    const call = toolCallSchema.safeParse(params).data;
    if (call === undefined) {
      options.rpc().refuse(id, INVALID_PARAMS, 'a tool call needs the name of a tool');
      return;
    }
    void options
      .answerTool({ name: call.tool, arguments: call.arguments })
      .then((answer) => options.rpc().answer<'item/tool/call'>(id, answer));
  };

  return (id, method, params) => {
    if (method === 'item/tool/call') {
      callTool(id, params);
      return;
    }
    if (method === 'currentTime/read') {
      const currentTimeAt = Math.floor(options.clock.now() / 1000);
      options.rpc().answer<'currentTime/read'>(id, { currentTimeAt });
      return;
    }
    const verdict = decideRequest(method, params, options.facts);
    if (verdict === null) {
      options.rpc().refuse(id, UNKNOWN_METHOD, `this client does not serve ${method.slice(0, 100)}`);
      options.emit({ type: 'notification', name: `refused request: ${method.slice(0, 100)}` });
      return;
    }
    options.rpc().answer(id, verdict.reply);
    if (verdict.question === null) options.emit({ type: 'approval_auto_approved', method });
    else options.onQuestion(method, verdict.question);
  };
}
