import type { ToolResult } from '../../../domain/tool.ts';
import type { Repository } from './repository.ts';
import type { Session } from './session.ts';

/**
 * Opens a pull request for the pushed branch, or finds the one an earlier run opened, and links it to the issue: all
 * with the tools the session was offered. Gives its address; null when there is nothing to open one with.
 */
export async function openPullRequest(session: Session): Promise<string | null> {
  const { repository } = session;
  const open = session.tools.find((name) => name.endsWith('pull_request_open'));
  if (open !== undefined && repository !== null) return openWithTool(session, open);
  const api = session.tools.find((name) => /(?:gitea|github)_api$/.test(name));
  const home = repository === null ? null : homeOf(repository.originUrl);
  if (api === undefined || repository === null || home === null) {
    await session.say('message', 'Nothing to open a pull request with is offered: there will be none');
    return null;
  }
  const path = `/repos/${home}/pulls`;
  const url =
    findOpen(await call(session, api, { method: 'GET', path, params: { state: 'open' } }), repository) ??
    addressOf(
      field(await call(session, api, { method: 'POST', path, body: request(session, repository) }), 'body'),
      'html_url',
    );
  await session.say('tool', `Pull request ${url}`);
  const link = session.tools.find((name) => name.endsWith('pr_link'));
  if (link !== undefined) await call(session, link, { url });
  return url;
}

/** The tool finds the one that is open already, and links it. */
async function openWithTool(session: Session, tool: string): Promise<string> {
  const output = await call(session, tool, { title: titleOf(session), body: `Closes #${session.issue.id}` });
  const url = addressOf(output, 'url');
  await session.say('tool', `Pull request ${url}`);
  return url;
}

async function call(
  session: Session,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const result: ToolResult = await session.callTool(tool, args);
  if (!result.success) throw new Error(`the pull request failed at ${tool}: ${result.error.message}`);
  return result.output;
}

function request(session: Session, { branch, defaultBranch }: Repository): Record<string, string> {
  const body = `Closes #${session.issue.id}`;
  return { title: titleOf(session), head: branch, base: defaultBranch ?? 'main', body };
}

function titleOf({ issue }: Session): string {
  return `${issue.identifier}: ${issue.title.replace(/\s+/g, ' ').trim()}`;
}

/** `owner/name` of the forge that the address belongs to; null for a folder. */
function homeOf(originUrl: string | null): string | null {
  const match = /^(?:https?:\/\/[^/]+\/(?:.*\/)?|[^/]+:)(?<home>[^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(
    originUrl ?? '',
  );
  return match?.groups?.['home'] ?? null;
}

function findOpen(output: unknown, { branch }: Repository): string | null {
  const pulls = field(output, 'body');
  const own = Array.isArray(pulls)
    ? pulls.find((pull) => field(field(pull, 'head'), 'ref') === branch)
    : null;
  const url = field(own, 'html_url');
  return typeof url === 'string' ? url : null;
}

function addressOf(pull: unknown, name: string): string {
  const url = field(pull, name);
  if (typeof url !== 'string') throw new Error('the forge did not say where the pull request is');
  return url;
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
