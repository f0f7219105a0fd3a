import { z } from 'zod';
import type { Issue } from '../../../domain/issue.ts';
import { closingReferences, otherClosings } from '../../../domain/issue-references.ts';
import { sameRepository } from '../../../domain/repository.ts';
import type { TrustRules } from '../../../domain/trust.ts';
import type { ApiHttp } from '../../../http/request/api-http.ts';
import { noticeFor, withholdTexts } from '../../../tools/outside-texts.ts';
import { defineTool, type Tool, ToolRefusal } from '../../../tools/tool-kit.ts';
import type { LabelStates } from '../states/label-states.ts';
import type { ForgeActions } from './actions.ts';
import { ownNumber } from './move.ts';
import { authorise, type RestRule } from './rest-policy.ts';

const ApiInput = z.strictObject({
  method: z.string().max(20).describe('GET, POST, PATCH or DELETE'),
  path: z.string().max(2_000).describe('Path of the REST API, starting with /repos/'),
  params: z.record(z.string(), z.unknown()).nullish().describe('Query parameters'),
  body: z.unknown().optional().describe('JSON body'),
});

export interface ApiToolOptions {
  readonly name: string;
  readonly description: string;
  readonly http: ApiHttp;
  readonly actions: ForgeActions;
  readonly states: LabelStates;
  readonly rules: readonly RestRule[];
  readonly prefixes: readonly string[];
  readonly trust: TrustRules | null;
}

const CLIENT_ERRORS = Array.from({ length: 100 }, (_, index) => 400 + index);
const MAX_BYTES = 1024 * 1024;
const MAX_ERROR_LENGTH = 2_048;

/** The forge's own API, for the run's own issue and repository. */
export function apiTool(options: ApiToolOptions): Tool {
  const { http, actions, states, rules, prefixes, trust } = options;
  return defineTool(options.name, options.description, ApiInput, async (input, { issue, signal }) => {
    const vouching = trust?.labels ?? [];
    const scope = { repository: actions.repository, number: ownNumber(issue), states, prefixes, vouching };
    const request = authorise(input, rules, scope);
    const writes = request.method !== 'GET';
    if (writes && request.pullRequest !== null) {
      await assertOwnPullRequest(actions, issue, request.pullRequest, signal);
    }
    if (writes && request.rule.template.endsWith('/pulls')) assertClaims(actions, issue, request.body);
    if (writes && request.rule.template.includes('/pulls')) assertClosesOnlyOwn(actions, issue, request.body);
    const response = await http.request({
      method: request.method,
      path: request.path,
      ...(request.body === undefined ? {} : { body: request.body }),
      purpose: 'tool',
      signal,
      expected: CLIENT_ERRORS,
      maxBytes: MAX_BYTES,
    });
    const answer = { status: response.status, body: response.json };
    if (response.status >= 300) {
      const text = http.redact(JSON.stringify(answer));
      throw new ToolRefusal('tracker_status', text.slice(0, MAX_ERROR_LENGTH));
    }
    const effect = writes ? (request.rule.effect?.(response.json) ?? null) : null;
    const output = { ...answer, body: withholdTexts(answer.body, trust), ...noticeFor(trust) };
    return effect === null ? { output } : { output, effect };
  });
}

/** The branch the worker makes for an issue. */
function workBranch(issue: Issue): string {
  return `ai/${issue.id}`;
}

async function assertOwnPullRequest(
  actions: ForgeActions,
  issue: Issue,
  number: number,
  signal: AbortSignal,
): Promise<void> {
  const found = await actions.pullRequest(number, signal);
  const fromHere = found?.headRepository !== null && found?.headRepository !== undefined;
  const isOwn =
    found !== null &&
    fromHere &&
    sameRepository(found.headRepository, actions.repository) &&
    (found.headRef === workBranch(issue) ||
      closingReferences(`${found.title}\n\n${found.body}`, actions.repository).has(ownNumber(issue)));
  if (isOwn) return;
  throw new ToolRefusal('not_allowed', `#${number} is not a pull request for issue ${issue.identifier}.`);
}

/** A pull request must show which issue it is for, or nobody could tell later whose it is. */
function assertClaims(actions: ForgeActions, issue: Issue, body: unknown): void {
  const { title, body: text, head } = PullRequestText.parse(body);
  if (head === workBranch(issue)) return;
  const number = ownNumber(issue);
  if (closingReferences(`${title}\n\n${text ?? ''}`, actions.repository).has(number)) return;
  throw new ToolRefusal('not_allowed', `Say which issue the pull request is for: write "Closes #${number}".`);
}

/** Merging would close the others, and until then this worker would leave them to the pull request. */
function assertClosesOnlyOwn(actions: ForgeActions, issue: Issue, body: unknown): void {
  const { title, body: text } = WrittenText.safeParse(body).data ?? {};
  const number = ownNumber(issue);
  const others = otherClosings(`${title ?? ''}\n\n${text ?? ''}`, actions.repository, {
    number,
    identifier: issue.identifier,
  });
  if (others.length === 0) return;
  throw new ToolRefusal(
    'not_allowed',
    `Only #${number}, the issue of this run, can be closed. Write of ${others.join(', ')} without "closes".`,
  );
}

const WrittenText = z.looseObject({ title: z.string().nullish(), body: z.string().nullish() });
const PullRequestText = z.looseObject({
  title: z.string(),
  body: z.string().nullish(),
  head: z.string(),
});
