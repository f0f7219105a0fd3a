import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '../../src/domain/agent-event.ts';
import type { Issue } from '../../src/domain/issue.ts';
import type { ToolCall, ToolResult, ToolSpec } from '../../src/domain/tool.ts';
import { silentLogger } from '../../src/observability/logger.ts';
import type { SessionInput } from '../../src/runners/runner.ts';

const WAIT_MS = 15_000;
const ISSUE_BRANCH = 'ai/eng-7';

export const ISSUE: Issue = {
  id: 'issue-7',
  identifier: 'ENG-7',
  title: 'Greet the visitor',
  description: null,
  priority: null,
  state: 'In Progress',
  branchName: null,
  url: null,
  assigneeId: null,
  author: null,
  labels: [],
  blockedBy: [],
  dispatchable: true,
  undispatchableReason: null,
  createdAt: null,
  updatedAt: null,
  nativeRef: null,
};

export const TOOLS: readonly ToolSpec[] = ['issue_move', 'issue_comment'].map((name) => ({
  name,
  description: `${name} of the run's own issue`,
  inputSchema: { type: 'object' },
}));

/** A workspace on its issue's branch with a bare remote, and a record of all that a session reports. */
export interface Fixture {
  readonly root: string;
  readonly workspace: string;
  readonly remote: string;
  readonly branch: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly events: AgentEvent[];
  readonly toolCalls: ToolCall[];
  git(...args: string[]): string;
  remoteGit(...args: string[]): string;
  input(overrides?: Partial<SessionInput>): SessionInput;
  /** Resolves with the first event, past or to come, that matches. */
  seen<T extends AgentEvent['type']>(
    type: T,
    matches?: (event: Extract<AgentEvent, { type: T }>) => boolean,
  ): Promise<Extract<AgentEvent, { type: T }>>;
  /** Forgets what was reported so far, as before another run. */
  clear(): void;
  dispose(): void;
}

export function createFixture(): Fixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'aiops-runner-')));
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const remote = join(root, 'remote.git');
  const workspace = join(root, 'workspace');
  const gitIn = (directory: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd: directory, env: environment, encoding: 'utf8', stdio: 'pipe' });
  gitIn(root, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  gitIn(root, 'init', '--quiet', '--initial-branch=main', workspace);
  writeFileSync(join(workspace, 'README.md'), '# A project\n');
  gitIn(workspace, 'add', '.');
  gitIn(workspace, '-c', 'user.name=T', '-c', 'user.email=t@example.invalid', 'commit', '-qm', 'First');
  gitIn(workspace, 'remote', 'add', 'origin', remote);
  gitIn(workspace, 'push', '--quiet', 'origin', 'main');
  gitIn(workspace, 'remote', 'set-head', 'origin', 'main');
  gitIn(workspace, 'switch', '--quiet', '-c', ISSUE_BRANCH);

  const runId = `run-${randomUUID()}`;
  const events: AgentEvent[] = [];
  const toolCalls: ToolCall[] = [];
  const watchers = new Set<() => void>();

  return {
    root,
    workspace,
    remote,
    branch: ISSUE_BRANCH,
    environment,
    runId,
    events,
    toolCalls,
    git: (...args) => gitIn(workspace, ...args),
    remoteGit: (...args) => gitIn(remote, ...args),
    input: (overrides = {}) => ({
      runId,
      issue: ISSUE,
      workspacePath: workspace,
      environment,
      resumeSessionId: null,
      tools: TOOLS,
      async callTool(call): Promise<ToolResult> {
        toolCalls.push(call);
        return { success: true, output: { ok: true } };
      },
      onEvent(event) {
        events.push(event);
        for (const watcher of watchers) watcher();
      },
      logger: silentLogger,
      ...overrides,
    }),
    seen(type, matches = () => true) {
      return new Promise((resolve, reject) => {
        const check = (): void => {
          for (const event of events) {
            if (!isOfType(event, type) || !matches(event)) continue;
            clearTimeout(timer);
            watchers.delete(check);
            resolve(event);
            return;
          }
        };
        const timer = setTimeout(() => {
          watchers.delete(check);
          reject(
            new Error(
              `no ${type} event within ${WAIT_MS} ms; seen: ${JSON.stringify(events).slice(0, 2000)}`,
            ),
          );
        }, WAIT_MS);
        watchers.add(check);
        check();
      });
    },
    clear() {
      events.length = 0;
      toolCalls.length = 0;
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function isOfType<T extends AgentEvent['type']>(
  event: AgentEvent,
  type: T,
): event is Extract<AgentEvent, { type: T }> {
  return event.type === type;
}

/** Creates an executable git hook in the workspace. */
export function writeHook(fixture: Fixture, name: string, script: string): void {
  const hooks = join(fixture.workspace, '.git', 'hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Live processes whose environment names the run; found without the code under test. Linux only. */
export function processesOfRun(runId: string): number[] {
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.filter((pid) => environmentOf(pid).includes(`AIOPS_RUN_ID=${runId}`)).map(Number);
}

/** The `NAME=value` entries of a process; empty for one that is gone or a zombie. */
export function environmentOf(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((entry) => entry !== '');
  } catch {
    return [];
  }
}
