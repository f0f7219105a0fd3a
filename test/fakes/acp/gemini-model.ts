import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerJson, type LoopbackModel, startLoopbackModel } from '../loopback-model.ts';

/** One part of a scripted model's answer, as the Gemini API names them. */
export type GeminiPart =
  | { readonly say: string }
  | { readonly call: string; readonly args: Readonly<Record<string, unknown>> };

export type GeminiReply =
  | { readonly parts: readonly GeminiPart[] }
  | { readonly status: number; readonly body: object }
  /** The stream begins and never ends. */
  | 'hang';

export interface GeminiRequest {
  /** The whole conversation, as text. */
  readonly contents: string;
  /** Names of the tools the model may call. */
  readonly tools: readonly string[];
}

export type GeminiModel = LoopbackModel<GeminiRequest>;

const bodySchema = z.object({
  contents: z.unknown(),
  tools: z.array(z.object({ functionDeclarations: z.array(z.object({ name: z.string() })).catch([]) })),
});

export const TOKENS_PER_ANSWER = 1050;
const USAGE = { promptTokenCount: 1000, candidatesTokenCount: 50, totalTokenCount: TOKENS_PER_ANSWER };

/** A model behind the endpoint Gemini's programs call. `script` gets each request that offers tools, and its number from 1. */
export function startGeminiModel(
  script: (request: GeminiRequest, number: number) => GeminiReply,
): Promise<GeminiModel> {
  return startLoopbackModel<GeminiRequest>({
    read(body) {
      const read = bodySchema.safeParse(body).data;
      const tools = read?.tools.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name)) ?? [];
      // What asks without tools is bookkeeping of the program, such as a summary.
      return tools.length === 0 ? null : { contents: JSON.stringify(read?.contents), tools };
    },
    answer: (response, request, number) => reply(response, script(request, number)),
    answerSideWork: (response) => reply(response, { parts: [{ say: '{}' }] }),
  });
}

function reply(response: ServerResponse, answer: GeminiReply): void {
  if (answer !== 'hang' && 'status' in answer) {
    answerJson(response, answer.status, answer.body);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if (answer === 'hang') return;
  const parts = answer.parts.map((part) =>
    'say' in part ? { text: part.say } : { functionCall: { name: part.call, args: part.args } },
  );
  const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }];
  response.end(`data: ${JSON.stringify({ candidates, usageMetadata: USAGE })}\r\n\r\n`);
}
