import { z } from 'zod';
import type { ToolSpec } from '../../domain/tool.ts';
import type { AnswerTool } from './tool-calls.ts';

export interface McpTools {
  readonly tools: readonly ToolSpec[];
  readonly answerTool: AnswerTool;
}

/** Answers one JSON-RPC message of an MCP client; null for a message that expects no answer. Never rejects. */
export type McpHandler = (message: unknown) => Promise<object | null>;

const messageSchema = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});
const callSchema = z.object({ name: z.string(), arguments: z.unknown().optional() });

const INVALID_REQUEST = -32600;
const UNKNOWN_METHOD = -32601;
const INVALID_PARAMS = -32602;
/** Versions of MCP whose tools work the way they do here; the newest first. */
const PROTOCOLS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The tools of a run as an MCP server, whatever carries the messages. */
export function createMcpHandler({ tools, answerTool }: McpTools): McpHandler {
  const listed = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: { type: 'object', ...inputSchema },
    // Claude otherwise hides tools behind a search.
    _meta: { 'anthropic/alwaysLoad': true },
  }));

  return async (message) => {
    const parsed = messageSchema.safeParse(message).data;
    if (parsed === undefined) return failure(null, INVALID_REQUEST, 'not a JSON-RPC request');
    const { id, method, params = {} } = parsed;
    if (id === undefined) return null;
    switch (method) {
      case 'initialize':
        return success(id, {
          protocolVersion: PROTOCOLS.find((known) => known === params['protocolVersion']) ?? PROTOCOLS[0],
          capabilities: { tools: {} },
          serverInfo: { name: 'aiops', version: '1' },
        });
      case 'ping':
        return success(id, {});
      case 'tools/list':
        return success(id, { tools: listed });
      case 'tools/call': {
        const call = callSchema.safeParse(params).data;
        if (call === undefined) return failure(id, INVALID_PARAMS, 'a tool call needs the name of a tool');
        const { result, text } = await answerTool({ name: call.name, arguments: call.arguments ?? {} });
        return success(id, { content: [{ type: 'text', text }], isError: !result.success });
      }
      default:
        return failure(id, UNKNOWN_METHOD, `this server does not serve ${method.slice(0, 100)}`);
    }
  };
}

function success(id: string | number, result: object): object {
  return { jsonrpc: '2.0', id, result };
}

function failure(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
