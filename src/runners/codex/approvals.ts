import type { z } from 'zod';
import { approvalCode, approvalQuestion, questionText } from '../tools/approval-code.ts';
import type { ReviewDecision, ServerResults } from './generated/protocol.d.ts';
import { isGranted, type Permission } from './policies.ts';
import {
  commandApprovalSchema,
  elicitationSchema,
  fileApprovalSchema,
  permissionsApprovalSchema,
  questionsSchema,
} from './protocol.ts';

/** Server requests that ask for a decision. */
type Method = Exclude<keyof ServerResults, 'item/tool/call' | 'currentTime/read'>;

/** What is said to such a request. */
export interface Verdict<Reply = ServerResults[Method]> {
  readonly reply: Reply;
  /** What a person has to decide; the turn ends with it. Null when the request was granted. */
  readonly question: string | null;
}

export interface ApprovalFacts {
  readonly policy: unknown;
  /** Codes of requests that a person has approved in the answer this run was started with. */
  readonly approved: ReadonlySet<string>;
  /** The files of a change that is about to be made, by the id of its item. */
  changedFiles(itemId: string): readonly string[];
}

const MAX_SUBJECT = 1500;

/** Null for a method that asks for no decision. */
export function decideRequest(method: string, params: unknown, facts: ApprovalFacts): Verdict | null {
  return isMethod(method) ? DECISIONS[method](params, facts) : null;
}

function isMethod(method: string): method is Method {
  return Object.hasOwn(DECISIONS, method);
}

const ACCEPTED: ServerResults['mcpServer/elicitation/request'] = {
  action: 'accept',
  content: {},
  _meta: null,
};

const DECISIONS: {
  readonly [M in Method]: (params: unknown, facts: ApprovalFacts) => Verdict<ServerResults[M]>;
} = {
  'item/commandExecution/requestApproval'(params, facts) {
    const { command, cwd, reason, networkApprovalContext } = read(commandApprovalSchema, params);
    const host = networkApprovalContext?.host;
    const what =
      host === undefined ? `run: ${command ?? '(a command it does not name)'}` : `reach the host ${host}`;
    return decide(facts, 'command', {
      subject: ['command', command, cwd, host],
      question: `Codex asks to ${what}${because(reason)}`,
      yes: { decision: 'acceptForSession' },
      once: { decision: 'accept' },
      no: { decision: 'cancel' },
    });
  },
  'item/fileChange/requestApproval'(params, facts) {
    const { itemId, reason, grantRoot } = read(fileApprovalSchema, params);
    const files = facts.changedFiles(itemId ?? '');
    const where =
      grantRoot === null || grantRoot === undefined ? '' : ` and to write below ${grantRoot} from now on`;
    return decide(facts, 'file_change', {
      subject: ['file_change', files, grantRoot],
      question: `Codex asks to change ${files.join(', ') || 'files'}${where}${because(reason)}`,
      yes: { decision: 'acceptForSession' },
      once: { decision: 'accept' },
      no: { decision: 'cancel' },
    });
  },
  'item/permissions/requestApproval'(params, facts) {
    const { permissions = {}, reason } = read(permissionsApprovalSchema, params);
    return decide(facts, 'permissions', {
      subject: ['permissions', permissions],
      question: `Codex asks for the permissions ${JSON.stringify(permissions)}${because(reason)}`,
      yes: { permissions, scope: 'session' },
      once: { permissions, scope: 'turn' },
      no: { permissions: {}, scope: 'turn' },
    });
  },
  'mcpServer/elicitation/request'(params, facts) {
    const { serverName = 'unknown', message = '' } = read(elicitationSchema, params);
    return decide(facts, 'elicitation', {
      subject: ['elicitation', serverName, message],
      question: `The MCP server ${serverName} asks: ${message}`,
      yes: ACCEPTED,
      once: ACCEPTED,
      no: { action: 'cancel', content: null, _meta: null },
    });
  },
  /** A question is for a person, whatever the policy says about permissions. */
  'item/tool/requestUserInput'(params) {
    const { questions = [] } = read(questionsSchema, params);
    return { reply: { answers: {} }, question: questionText(questions) };
  },
  execCommandApproval: (params, facts) => decideLegacy(params, facts, 'command'),
  applyPatchApproval: (params, facts) => decideLegacy(params, facts, 'file_change'),
};

type LegacyReply = { readonly decision: ReviewDecision };

/** Requests of older protocols, which newer servers still define. */
function decideLegacy(params: unknown, facts: ApprovalFacts, permission: Permission): Verdict<LegacyReply> {
  const subject = JSON.stringify(params ?? null).slice(0, MAX_SUBJECT);
  return decide(facts, permission, {
    subject: [permission, subject],
    question: `Codex asks for the approval of ${subject}`,
    yes: { decision: 'approved_for_session' },
    once: { decision: 'approved' },
    no: { decision: 'abort' },
  });
}

interface Request<Reply> {
  /** What exactly would be allowed; its code approves this and nothing else. */
  readonly subject: readonly unknown[];
  readonly question: string;
  readonly yes: Reply;
  readonly once: Reply;
  readonly no: Reply;
}

function decide<Reply>(
  facts: ApprovalFacts,
  permission: Permission,
  request: Request<NoInfer<Reply>>,
): Verdict<Reply> {
  if (isGranted(facts.policy, permission)) return { reply: request.yes, question: null };
  const code = approvalCode(request.subject);
  if (facts.approved.has(code)) return { reply: request.once, question: null };
  return { reply: request.no, question: approvalQuestion(request.question, code) };
}

/** What can be read of foreign params: a request that is not as expected is still decided, never granted by accident. */
function read<S extends z.ZodObject>(schema: S, params: unknown): Partial<z.infer<S>> {
  const parsed = schema.safeParse(params);
  return parsed.success ? parsed.data : {};
}

function because(reason: string | null | undefined): string {
  return reason === null || reason === undefined || reason === '' ? '' : ` (${reason})`;
}
