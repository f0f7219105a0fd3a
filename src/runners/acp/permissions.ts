import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { approvalCode, approvalQuestion } from '../tools/approval-code.ts';
import { permissionSchema, type ToolCall } from './protocol.ts';
import type { AcpSettings } from './settings.ts';

export interface Verdict {
  readonly reply: RequestPermissionResponse;
  /** The call that was granted, else null. */
  readonly granted: ToolCall | null;
  /** What a person has to decide; the turn ends with it. Null when the request was granted. */
  readonly question: string | null;
}

export interface PermissionFacts {
  readonly mode: AcpSettings['permissions'];
  /** Codes of requests that a person has approved in the answer this run was started with. */
  readonly approved: ReadonlySet<string>;
  /** Names of the run's own tools. */
  readonly tools: readonly string[];
}

/** The name under which agents know the run's own tools. */
export const TOOL_SERVER = 'aiops';

export function decidePermission(params: unknown, facts: PermissionFacts): Verdict {
  const asked = permissionSchema.safeParse(params).data;
  const once = asked?.options.find(({ kind }) => kind === 'allow_once');
  if (asked === undefined || once === undefined) {
    return refusal('The agent asked for a permission without saying what it offers.');
  }
  const { toolCall } = asked;
  const { title, rawInput } = toolCall;
  const code = approvalCode([title ?? null, rawInput ?? null, ...toolCall.content]);
  if (facts.mode === 'allow' || facts.approved.has(code) || isOwnTool(toolCall, facts.tools)) {
    const reply: RequestPermissionResponse = { outcome: { outcome: 'selected', optionId: once.optionId } };
    return { reply, granted: toolCall, question: null };
  }
  const what = `${title ?? 'use a tool'} ${rawInput === undefined ? '' : JSON.stringify(rawInput)}`.trim();
  return refusal(approvalQuestion(`The agent asks for permission: ${what}`, code));
}

function refusal(question: string): Verdict {
  return { reply: { outcome: { outcome: 'cancelled' } }, granted: null, question };
}

/** Kinds that touch files or run programs; the run's own tools are none of these. */
const FOREIGN_KINDS: readonly unknown[] = ['execute', 'edit', 'delete', 'move', 'fetch'];
const FILLER = new Set(['mcp', 'server', 'tool', 'call']);

/**
 * Whether the request is for a tool of the worker, which decides itself what the agent may do with it. The protocol does not
 * say which server a tool is of, so the name has to consist of the server and the tool and of nothing else, as in
 * `mcp__aiops__issue_move` or `issue_move (aiops MCP Server)`.
 */
function isOwnTool({ title, name, kind }: ToolCall, tools: readonly string[]): boolean {
  const said = name ?? title ?? '';
  if (FOREIGN_KINDS.includes(kind) || said.length > 200) return false;
  const words = wordsOf(said);
  return tools.some(
    (tool) => words === `${TOOL_SERVER} ${wordsOf(tool)}` || words === `${wordsOf(tool)} ${TOOL_SERVER}`,
  );
}

function wordsOf(name: string): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word !== '' && !FILLER.has(word)).join(' ');
}
