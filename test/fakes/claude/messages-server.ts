import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerJson, beginEvents, type LoopbackModel, startLoopbackModel } from '../loopback-model.ts';

export type MessageBlock =
  | { readonly say: string }
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>> };

/** What the model does with a request: it answers (perhaps only later), refuses with a status, or never ends its answer. */
export type MessageReply =
  | { readonly blocks: readonly MessageBlock[]; readonly until?: Promise<void> }
  | { readonly status: number; readonly type: string; readonly message: string }
  | 'hang';

export interface MessageRequest {
  /** The conversation as JSON text. */
  readonly messages: string;
  readonly model: string;
  readonly tools: readonly string[];
}

export type MessagesServer = LoopbackModel<MessageRequest>;

const bodySchema = z.object({
  model: z.string(),
  messages: z.array(z.unknown()),
  tools: z.array(z.object({ name: z.string() })).catch([]),
});

/** Each answer costs the same, so that tests can count. */
const USAGE = { input_tokens: 1000, cache_read_input_tokens: 200, cache_creation_input_tokens: 100 };
export const TOKENS_PER_ANSWER = 1350;

/** A scripted Messages API on loopback. `number` counts the requests from 1. */
export function startMessagesServer(
  script: (request: MessageRequest, number: number) => MessageReply,
): Promise<MessagesServer> {
  return startLoopbackModel<MessageRequest>({
    read(body) {
      const read = bodySchema.safeParse(body).data;
      // Requests without tools are side work, such as titles.
      if (read === undefined || read.tools.length === 0) return null;
      const { model, messages, tools } = read;
      return { model, messages: JSON.stringify(messages), tools: tools.map(({ name }) => name) };
    },
    answer: (response, request, number) => void answer(response, `msg_${number}`, script(request, number)),
    answerSideWork: (response) => void answer(response, 'x', { blocks: [{ say: 'ok' }] }),
  });
}

async function answer(response: ServerResponse, id: string, reply: MessageReply): Promise<void> {
  if (reply !== 'hang' && 'status' in reply) {
    const { status, type, message } = reply;
    answerJson(response, status, { type: 'error', error: { type, message } });
    return;
  }
  const send = beginEvents(response);
  const message = { id, type: 'message', role: 'assistant', model: 'fake', content: [], stop_reason: null };
  send('message_start', { message: { ...message, usage: { ...USAGE, output_tokens: 1 } } });
  if (reply === 'hang') return;
  await reply.until;
  reply.blocks.forEach((block, index) => {
    const isText = 'say' in block;
    const opened = isText
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${id}_${index}`, name: block.call, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: block.say }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send('content_block_start', { index, content_block: opened });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  });
  const stop_reason = reply.blocks.some((block) => 'call' in block) ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason }, usage: { output_tokens: 50 } });
  send('message_stop', {});
  response.end();
}
