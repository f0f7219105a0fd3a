import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerJson, beginEvents, type LoopbackModel, startLoopbackModel } from '../loopback-model.ts';

/** One item of a scripted model's answer, as the Responses API names them. */
export type ModelItem =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> }
  /** A tool that takes raw text, such as code. */
  | { readonly custom: string; readonly input: string };

export type ModelReply =
  | { readonly items: readonly ModelItem[]; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status: number; readonly body: object; readonly headers?: Readonly<Record<string, string>> }
  /** The stream begins and fails with this error code. */
  | { readonly failed: string }
  /** The stream begins and never ends. */
  | 'hang';

export interface ModelRequest {
  readonly body: Readonly<Record<string, unknown>>;
  /** Everything the agent sent as input, as text. */
  readonly input: string;
  readonly headers: IncomingMessage['headers'];
}

export type ModelServer = LoopbackModel<ModelRequest>;

const bodySchema = z.record(z.string(), z.unknown());

/** A model behind the one endpoint Codex calls. `script` gets each request and its number, from 1. */
export async function startModelServer(
  script: (request: ModelRequest, number: number) => ModelReply,
): Promise<ModelServer> {
  const model = await startLoopbackModel<ModelRequest>({
    read(received, headers) {
      const body = bodySchema.parse(received);
      return { body, input: JSON.stringify(body['input']), headers };
    },
    answer: (response, request, number) => reply(response, script(request, number), number),
  });
  return { ...model, baseUrl: `${model.baseUrl}/v1` };
}

function reply(response: ServerResponse, answer: ModelReply, number: number): void {
  const id = `resp_${number}`;
  if (answer !== 'hang' && 'status' in answer) {
    answerJson(response, answer.status, answer.body, answer.headers);
    return;
  }
  const headers = answer !== 'hang' && 'items' in answer ? answer.headers : {};
  const send = beginEvents(response, headers);
  send('response.created', { response: { id } });
  if (answer === 'hang') return;
  if ('failed' in answer) {
    send('response.failed', {
      response: { id, error: { code: answer.failed, message: 'the script says so' } },
    });
  } else {
    answer.items.forEach((item, index) => {
      send('response.output_item.done', { output_index: index, item: wireItem(item, `${id}_${index}`) });
    });
    send('response.completed', { response: { id, usage: USAGE } });
  }
  response.end();
}

/** Each answer costs the same, so that tests can count. */
const USAGE = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 200 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 1050,
};

function wireItem(item: ModelItem, id: string): object {
  if ('say' in item) {
    return { type: 'message', role: 'assistant', id, content: [{ type: 'output_text', text: item.say }] };
  }
  if ('custom' in item) {
    return {
      type: 'custom_tool_call',
      id,
      call_id: `call_${id}`,
      name: item.custom,
      input: item.input,
      namespace: 'functions',
    };
  }
  return {
    type: 'function_call',
    id,
    call_id: `call_${id}`,
    name: item.call,
    arguments: JSON.stringify(item.args),
  };
}
