import type { Evaluation } from '../../../src/config/read/evaluate.ts';
import type { ConfigProblem } from '../../../src/config/read/problem.ts';
import type { Check } from '../../../src/doctor/check.ts';
import type { Effects } from '../../../src/doctor/effects.ts';
import { listChecks } from '../../../src/doctor/list-checks.ts';
import type { Verdict } from '../../../src/domain/verdict.ts';
import type { CommandResult } from '../../../src/process/children/child.ts';
import { CODEX_VERSION } from '../../../src/runners/codex/protocol.ts';
import { evaluateWorkflow } from '../workflow-file.ts';

const never = new AbortController().signal;

function evaluate(frontMatter: string): Evaluation {
  const environment = { LINEAR_API_KEY: 'lin_api_dummy_not_a_key', HOME: '/home/worker' };
  const evaluation = evaluateWorkflow(`---\n${frontMatter}\n---\nWork on {{ issue.title }}.\n`, {
    file: '/srv/team/WORKFLOW.md',
    environment,
  });
  if (evaluation.problems.length > 0) throw new Error(JSON.stringify(evaluation.problems));
  return evaluation;
}

export const LOCAL =
  'tracker: {kind: local, path: issues}\nrepo: {clone_url: /srv/app.git, default_branch: main}';

export function exited(stdout: string, code = 0, stderr = ''): CommandResult {
  const rest = { signal: null, truncated: false, stdoutTruncated: false, durationMs: 1, spawnError: null };
  return { outcome: 'exited', code, stdout, stderr, ...rest };
}

export function missing(command: string): CommandResult {
  return { ...exited('', 0), outcome: 'spawn_failed', code: null, spawnError: `${command} was not found` };
}

/** A machine on which everything is as it should be. */
export const HEALTHY: Effects = {
  nodeVersion: '22.1.0',
  gitVersion: async () => exited('git version 2.39.5 (Apple Git-154)\n'),
  folder: async (path) => ({ nearest: path, exists: true, problem: null }),
  requireFreeSpace: async () => {},
  stateFolder: () => '/state/aiops/flow-1',
  whyNotPrivate: async () => null,
  probeCgroups: async () => ({ own: '/sys/fs/cgroup/aiops.service' }),
  earlierRoot: async () => null,
  readJournal: async () => ({ recentRuns: 1, problem: null }),
  keptRescues: async () => [],
  foreignPushes: async () => [],
  tryPort: async () => ({ problem: null, holderPid: null }),
  findWorker: async () => null,
  findScopeHolder: async () => null,
  tokenLengths: async () => ({ full: null, readOnly: null }),
  isLoopback: (host) => host === '127.0.0.1',
  askTracker: async () => ({ issues: 3, warnings: [] }),
  readLabels: async () => ({ missing: [], existing: [] }),
  stateLabels: () => null,
  workflowStates: async () => null,
  realPath: async (path) => path,
  isRepository: async () => 'repository',
  remoteBranches: async () => ['main', 'next'],
  agentEnvironment: async () => ({ PATH: '/usr/bin' }),
  programOf: (command) => (command.includes('=') ? null : (command.split(' ')[0] ?? null)),
  findProgram: async (program) => `/usr/bin/${program}`,
  runProgram: async (program) =>
    exited(program === 'codex' ? `codex-cli ${CODEX_VERSION}\n` : '2.1.325 (Claude Code)\n'),
  readText: async () => '',
  bundledVersion: () => null,
  trySandbox: async () => exited(''),
  gitSignsIn: async () => true,
  tryPush: async () => {},
  tryAgent: async () => ({ ms: 400 }),
};

/** A set-up: what is said differs from a healthy machine with a folder of issues. */
export interface Case {
  readonly workflow?: string;
  readonly effects?: Partial<Effects>;
  readonly offline?: boolean;
  readonly identity?: string;
  /** What loading the file found. */
  readonly problems?: readonly ConfigProblem[];
}

/** The first of several. */
export async function judge(check: Check): Promise<Verdict> {
  const found = await check.run(never);
  const [first] = 'status' in found ? [found] : found;
  if (first === undefined) throw new Error(`${check.id} says nothing`);
  return first;
}

/** The checks of a set-up. */
export function checksFor(given: Case = {}): readonly Check[] {
  const { config, provenance, texts } = evaluate(given.workflow ?? LOCAL);
  const identity = given.identity ?? 'local/srv/app';
  const workflow = { file: config.workflowPath, config, warnings: [], provenance, texts };
  return listChecks(
    {
      workflow: { ...workflow, problems: given.problems ?? [] },
      repositoryIdentity: config.repo === null ? null : identity,
      repositoryPath: config.repo !== null && identity.startsWith('local/') ? config.repo.cloneUrl : null,
      offline: given.offline ?? false,
    },
    { ...HEALTHY, ...given.effects },
  );
}

export async function verdicts(given: Case = {}): Promise<Map<string, Verdict>> {
  const found = await Promise.all(
    checksFor(given).map(async (check): Promise<[string, Verdict]> => [check.id, await judge(check)]),
  );
  return new Map(found);
}

export async function verdict(id: string, given: Case): Promise<Verdict> {
  const found = (await verdicts(given)).get(id);
  if (found === undefined) throw new Error(`there is no check ${id}`);
  return found;
}
