import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { git } from './git.ts';
import { type LiveProcess, listProcesses } from './processes.ts';
import { waitFor } from './wait.ts';

export type WorkflowSections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface IssueSpec {
  readonly title?: string;
  readonly state?: string;
  readonly priority?: number;
  readonly blockedBy?: readonly string[];
  readonly labels?: readonly string[];
  readonly author?: string;
  /** The issue's `mock` block; none when left out. */
  readonly mock?: Readonly<Record<string, string | number | boolean>>;
}

/** A directory with all a user has: a home without configuration, a remote, a workflow, a folder of issues. */
export interface Fixture {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly remote: string;
  readonly workflowPath: string;
  readonly workspaces: string;
  workspace(id: string): string;
  writeWorkflow(sections?: WorkflowSections): Promise<void>;
  issuePath(id: string): string;
  writeIssue(id: string, spec?: IssueSpec): Promise<void>;
  /** As a person does it in an editor. */
  moveIssue(id: string, state: string): Promise<void>;
  issueState(id: string): Promise<string>;
  issueText(id: string): Promise<string>;
  /** Everything alive that was started on this fixture, by anybody. */
  processes(): readonly LiveProcess[];
  /** Those that belong to a run: agents and what they started. */
  agents(): readonly LiveProcess[];
  /** Ends what is left, removes everything, and fails when something had to be ended. */
  close(): Promise<void>;
}

export async function createFixture(sections: WorkflowSections = {}): Promise<Fixture> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'aiops-e2e-')));
  const fixture = fixtureIn(directory);
  await Promise.all(
    ['home', 'tmp', 'issues', 'seed'].map((name) => mkdir(join(directory, name), { recursive: true })),
  );
  await createRemote(fixture);
  await fixture.writeWorkflow(sections);
  return fixture;
}

function fixtureIn(directory: string): Fixture {
  const home = join(directory, 'home');
  const workspaces = join(directory, 'workspaces');
  const issuePath = (id: string): string => join(directory, 'issues', `${id}.md`);
  const processes = (): readonly LiveProcess[] =>
    listProcesses().filter(
      ({ environment, cwd }) => environment.get('HOME') === home || `${cwd}/`.startsWith(`${directory}/`),
    );
  return {
    directory,
    env: environmentOf(directory, home),
    remote: join(directory, 'remote.git'),
    workflowPath: join(directory, 'WORKFLOW.md'),
    workspaces,
    workspace: (id) => join(workspaces, id),
    writeWorkflow: (sections = {}) =>
      writeFile(join(directory, 'WORKFLOW.md'), workflowText(join(directory, 'remote.git'), sections)),
    issuePath,
    writeIssue: (id, spec = {}) => saveFile(issuePath(id), issueText(id, spec)),
    async moveIssue(id, state) {
      const text = await readIssue(issuePath(id));
      await saveFile(issuePath(id), text.replace(/^state: .*$/m, `state: ${state}`));
    },
    issueText: (id) => readIssue(issuePath(id)),
    async issueState(id) {
      return /^state: (.*)$/m.exec(await readIssue(issuePath(id)))?.[1] ?? '';
    },
    processes,
    agents: () => processes().filter(({ environment }) => environment.has('AIOPS_RUN_ID')),
    async close() {
      // The helper of a worker ends when it notices that its worker has, a moment later.
      const hasHelper = (): boolean => processes().some(({ command }) => command.includes('/helper.js'));
      await waitFor('helpers end', () => !hasHelper(), { withinMs: 5_000 }).catch(() => {});
      const left = processes();
      for (const { pid } of left) process.kill(pid, 'SIGKILL');
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
      if (left.length === 0) return;
      throw new Error(`left running: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`);
    },
  };
}

/** Nothing of the user who runs the tests. */
function environmentOf(directory: string, home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local'),
    TMPDIR: join(directory, 'tmp'),
  };
}

async function createRemote(fixture: Fixture): Promise<void> {
  const seed = join(fixture.directory, 'seed');
  git(fixture.directory, 'init', '-q', '--bare', '-b', 'main', fixture.remote);
  git(seed, 'init', '-q', '-b', 'main');
  await writeFile(join(seed, 'README.md'), '# A small project\n');
  git(seed, 'add', '.');
  git(seed, 'commit', '-q', '-m', 'Begin');
  git(seed, 'push', '-q', fixture.remote, 'main');
  await rm(seed, { recursive: true });
}

/** Short waits, so that the tests are; a section given here replaces single keys. */
function workflowText(remote: string, sections: WorkflowSections): string {
  const base: WorkflowSections = {
    tracker: { kind: 'local', path: 'issues' },
    repo: { clone_url: remote, default_branch: 'main' },
    workspace: { root: 'workspaces', mirror_root: 'mirrors', min_free_mb: 0 },
    agent: { default: 'mock', max_concurrent_agents: 3, max_retry_backoff_ms: 300 },
    polling: { interval_ms: 250 },
  };
  const names = new Set([...Object.keys(base), ...Object.keys(sections)]);
  const merged = Object.fromEntries([...names].map((name) => [name, { ...base[name], ...sections[name] }]));
  return `---\n${stringify(merged)}---\nWork on {{ issue.identifier }}: {{ issue.title }}\n\n{{ issue.description }}\n`;
}

function issueText(id: string, spec: IssueSpec): string {
  const fields = {
    title: spec.title ?? `Title of ${id}`,
    state: spec.state ?? 'Todo',
    ...(spec.priority === undefined ? {} : { priority: spec.priority }),
    ...(spec.blockedBy === undefined ? {} : { blocked_by: spec.blockedBy }),
    ...(spec.labels === undefined ? {} : { labels: spec.labels }),
    ...(spec.author === undefined ? {} : { author: spec.author }),
  };
  const script = spec.mock === undefined ? '' : `\n\`\`\`mock\n${stringify(spec.mock)}\`\`\`\n`;
  return `---\n${stringify(fields)}---\n\nPlease do ${id}.\n${script}`;
}

/** In one step, as editors do: nobody reads half a file. */
async function saveFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}~`, text);
  await rename(`${path}~`, path);
}

/** A file that the worker is just replacing is away for an instant. */
function readIssue(path: string): Promise<string> {
  return waitFor(`${path} is there`, () => readFile(path, 'utf8').catch(() => null), { withinMs: 2_000 });
}

export function exists(path: string): boolean {
  return existsSync(path);
}
