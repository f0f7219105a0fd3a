import { approvalCode, approvalQuestion, questionText } from '../tools/approval-code.ts';
import { permissionSchema, questionsSchema } from './protocol.ts';
import { isVerifyCommand } from './verify-commands.ts';

/** What Claude may do without a person's word. */
export interface Grants {
  /** Codes of what a person has approved. */
  readonly approved: ReadonlySet<string>;
  /** Names of the run's own tools, as Claude knows them. */
  readonly ownTools: ReadonlySet<string>;
  /** The workflow's own checks. */
  readonly verifyCommands: readonly string[];
}

/** What is said when Claude asks whether it may use a tool. */
export interface Verdict {
  readonly reply: object;
  /** What a person has to decide; the turn ends with it. Null when the request was granted. */
  readonly question: string | null;
}

/** The name under which Claude knows the run's own tools. */
export const TOOL_SERVER = 'aiops';

/** The name of a tool of the run in Claude's requests. */
export function ownToolName(tool: string): string {
  return `mcp__${TOOL_SERVER}__${tool}`;
}

/** Grants the run's own tools, the workflow's checks and what a person has approved; everything else is a question. */
export function decidePermission(request: unknown, grants: Grants): Verdict {
  const { approved, ownTools, verifyCommands } = grants;
  const parsed = permissionSchema.safeParse(request).data;
  if (parsed === undefined) return refusal('Claude asked for a permission without saying which.');
  const { tool_name: tool, input } = parsed;
  if (tool === 'AskUserQuestion')
    return refusal(questionText(questionsSchema.safeParse(input).data?.questions ?? []));
  const allow = { reply: { behavior: 'allow', updatedInput: input }, question: null };
  // By the whole name: a repository may bring an MCP server that is called the same.
  if (ownTools.has(tool) || isVerifyCommand(tool, input, verifyCommands)) return allow;
  const code = approvalCode([tool, input]);
  if (approved.has(code)) return allow;
  const asked = approvalQuestion(`Claude asks to use ${tool}: ${subjectOf(input)}`, code);
  return refusal(`${asked} claude.allowed_tools allows it for good.`);
}

function refusal(question: string): Verdict {
  const message = 'A person has to decide this first. Stop here.';
  return { reply: { behavior: 'deny', message, interrupt: true }, question };
}

function subjectOf(input: Readonly<Record<string, unknown>>): string {
  const { command, file_path: path, plan } = input;
  const [plain] = [command, path, plan].filter((value) => typeof value === 'string');
  return plain ?? JSON.stringify(input);
}
