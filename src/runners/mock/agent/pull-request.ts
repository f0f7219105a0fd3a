import type { ToolResult } from '../../../domain/tool.ts';
import type { Repository } from './repository.ts';
import type { Session } from './session.ts';

const MAX_TITLE = 250;

/**
 * Opens a pull request for the pushed branch, or finds the one an earlier run opened, and links it to the issue: all
 * with the tools the session was offered. Gives its address; null when there is nothing to open one with.
 */
export async function openPullRequest(session: Session): Promise<string | null> {
  const url = await openOrFind(session);
  if (url === null) {
    await session.say('message', 'Nothing to open a pull request with is offered: there will be none');
    return null;
  }
  await session.say('tool', `Pull request ${url}`);
  const link = session.tools.find((name) => name.endsWith('pr_link'));
  // The pull request is there whether or not the issue can name it.
  const linked = link === undefined ? null : await session.callTool(link, { url });
  if (linked?.success === false) await session.say('message', `It was not linked: ${linked.error.message}`);
  return url;
}

async function openOrFind(session: Session): Promise<string | null> {
  const tool = session.tools.find((name) => name.endsWith('pull_request_open'));
  if (tool === undefined) return openByApi(session);
  if (session.repository === null) return null;
  const { title, body } = texts(session);
  return addressIn(await call(session, tool, { title, body }), 'url');
}

/** With the forge's own API, where a workflow offers nothing better. */
async function openByApi(session: Session): Promise<string | null> {
  const { repository } = session;
  const api = session.tools.find((name) => /(?:gitea|github)_api$/.test(name));
  const home = repository === null ? null : homeOf(repository.originUrl);
  if (api === undefined || repository === null || home === null) return null;
  const path = `/repos/${home}/pulls`;
  const open = await call(session, api, { method: 'GET', path, params: { state: 'open' } });
  const found = findOpen(open, repository);
  if (found !== null) return found;
  const body = { ...texts(session), head: repository.branch, base: repository.defaultBranch ?? 'main' };
  const made = await call(session, api, { method: 'POST', path, body });
  return addressIn(field(made, 'body'), 'html_url');
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

/** Forges close an issue of theirs by its number; what another tracker has is named only. */
function texts({ issue }: Session): { readonly title: string; readonly body: string } {
  const title = `${issue.identifier}: ${issue.title.replace(/\s+/g, ' ').trim()}`.slice(0, MAX_TITLE);
  return { title, body: /^\d+$/.test(issue.id) ? `Closes #${issue.id}` : `For ${issue.identifier}` };
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

function addressIn(pull: unknown, name: string): string {
  const url = field(pull, name);
  if (typeof url !== 'string') throw new Error('the forge did not say where the pull request is');
  return url;
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
