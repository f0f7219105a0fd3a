import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { createClient } from '../../contract/client.ts';
import { oneLine } from '../history/text.ts';
import type { CliIo } from '../io.ts';
import { openLocalIssues } from '../issue/local-issues.ts';
import { resolveIssueFolder } from '../issue/settings.ts';
import { findRecord } from '../record/worker-record.ts';
import { askOverHttp } from '../remote/ask-over-http.ts';
import type { Candidate } from './candidates.ts';

/** A key press does not wait longer. */
const PATIENCE_MS = 1_000;

type Place = Pick<CliIo, 'environment' | 'cwd'>;

/** Issues that the worker of this folder knows, else those in its folder of issues; nothing rather than an error. */
export async function issueCandidates(words: readonly string[], io: Place): Promise<readonly Candidate[]> {
  const workflow = workflowIn(words);
  const found = words[0] === 'issue' ? null : await ofWorker(workflow, io).catch(() => null);
  return found ?? (await ofFolder(workflow, io).catch(() => []));
}

async function ofWorker(workflow: string | undefined, io: Place): Promise<readonly Candidate[] | null> {
  const record = await findRecord(await chooseWorkflowPath(workflow, io.environment, io.cwd), io.environment);
  if (record === null || record.url === null) return null;
  const client = createClient({ baseUrl: record.url, token: record.token, fetch: askOverHttp });
  const state = await client.state(AbortSignal.timeout(PATIENCE_MS));
  const rows = [...state.running, ...state.blocked, ...state.retrying, ...state.waiting, ...state.ended];
  const named = new Map(rows.map((row) => [row.issue_identifier, row.title]));
  return [...named].map(([word, title]) => ({ word, about: oneLine(title, 60) }));
}

async function ofFolder(workflow: string | undefined, io: Place): Promise<readonly Candidate[]> {
  const flags = workflow === undefined ? {} : { workflow };
  const local = await openLocalIssues(await resolveIssueFolder(flags, io), true);
  return local.entries.flatMap((entry) =>
    entry.kind === 'issue' ? [{ word: entry.id, about: oneLine(entry.content.fields.title, 60) }] : [],
  );
}

function workflowIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === '--workflow' || word === '-w');
  return at === -1 ? undefined : words[at + 1];
}
