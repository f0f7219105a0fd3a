import type { Session } from '../session/session.ts';
import { type ApprovalFacts, decideRequest } from './approvals.ts';
import { type RequestId, toolCallSchema } from './protocol.ts';
import type { Rpc } from './rpc.ts';

const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;

/** Answers a request of the server, at once or when its tool is done; none is ever left open. */
export function answerRequest(
  session: Session,
  facts: ApprovalFacts,
  rpc: Pick<Rpc, 'answer' | 'refuse'>,
  { id, method, params }: { readonly id: RequestId; readonly method: string; readonly params: unknown },
): void {
  if (method === 'item/tool/call') {
    callTool(session, rpc, id, params);
    return;
  }
  if (method === 'currentTime/read') {
    const currentTimeAt = Math.floor(session.clock.now() / 1000);
    rpc.answer<'currentTime/read'>(id, { currentTimeAt });
    return;
  }
  const verdict = decideRequest(method, params, facts);
  if (verdict === null) {
    rpc.refuse(id, UNKNOWN_METHOD, `this client does not serve ${method.slice(0, 100)}`);
    session.emit({ type: 'notification', name: `refused request: ${method.slice(0, 100)}` });
    return;
  }
  rpc.answer(id, verdict.reply);
  if (verdict.question === null) session.emit({ type: 'approval_auto_approved', method });
  else session.ask(method, verdict.question);
}

function callTool(
  session: Session,
  rpc: Pick<Rpc, 'answer' | 'refuse'>,
  id: RequestId,
  params: unknown,
): void {
  const call = toolCallSchema.safeParse(params).data;
  if (call === undefined) {
    rpc.refuse(id, INVALID_PARAMS, 'a tool call needs the name of a tool');
    return;
  }
  void session.answerTool({ name: call.tool, arguments: call.arguments }).then(({ result, text }) => {
    const contentItems = [{ type: 'inputText' as const, text }];
    rpc.answer<'item/tool/call'>(id, { contentItems, success: result.success });
  });
}
