import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { loadWorkflow } from '../../config/load.ts';
import { problemsToError } from '../../config/problem.ts';
import { chooseWorkflowPath } from '../../config/workflow-path.ts';
import type { Issue } from '../../domain/issue.ts';
import { normaliseState } from '../../domain/state-name.ts';
import type { Logger } from '../../observability/logger.ts';
import { silentLogger } from '../../observability/logger.ts';
import { whyIneligible } from '../../scheduler/eligibility.ts';
import { compareForDispatch } from '../../scheduler/order.ts';
import { type SchedulerSettings, schedulerSettings } from '../../scheduler/settings.ts';
import { createTracker } from '../../trackers/registry.ts';
import { oneLine } from '../history/text.ts';
import type { CliIo } from '../io.ts';

interface IssuesFlags {
  readonly workflow?: string;
  readonly explain: boolean;
  readonly json: boolean;
}

interface Seen {
  readonly issue: Issue;
  /** What a worker that starts now would do with it. */
  readonly fate: string;
}

/** `aiops issues`: what the worker sees, and why each issue would or would not run. */
export function registerIssuesCommand(
  program: Command,
  io: Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd'>,
  finish: (exitCode: number) => void,
): void {
  program
    .command('issues')
    .description('list the issues a worker would see in the tracker, best first')
    .option('--workflow <path>', 'the workflow file that names the tracker')
    .option('--explain', 'say of each why it would or would not run', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nThe tracker is read once; nothing is started or changed. A running worker also knows claims, retries and stops:' +
        '\nsee its dashboard for those.',
    )
    .action(async (flags: IssuesFlags) => {
      const path = await chooseWorkflowPath(flags.workflow, io.environment, io.cwd);
      const loaded = await loadWorkflow({ path, environment: io.environment });
      if (!loaded.ok) throw problemsToError(loaded.problems);
      const seen = await look(loaded.config, warningsTo(io.stderr));
      io.stdout(flags.json ? toJson(seen) : format(seen, flags.explain));
      finish(0);
    });
}

async function look(config: Config, logger: Logger): Promise<readonly Seen[]> {
  const tracker = await createTracker(config.tracker, { logger });
  const issues = await tracker.fetchIssuesByStates(config.tracker.activeStates, new AbortController().signal);
  return explain(issues, schedulerSettings(config, []));
}

/** As a worker with every slot free would decide. */
export function explain(issues: readonly Issue[], settings: SchedulerSettings): readonly Seen[] {
  let started = 0;
  const byState = new Map<string, number>();
  return issues.toSorted(compareForDispatch).map((issue) => {
    const ineligible = whyIneligible(issue, settings);
    if (ineligible !== null) return { issue, fate: `would not run: ${ineligible}` };
    const state = normaliseState(issue.state);
    const limit =
      settings.maxConcurrentByState.get(state.replaceAll(' ', '_')) ??
      settings.maxConcurrentByState.get(state);
    const running = byState.get(state) ?? 0;
    if (started >= settings.maxConcurrentAgents)
      return {
        issue,
        fate: `would wait: all ${settings.maxConcurrentAgents} slots are taken by issues before it`,
      };
    if (limit !== undefined && running >= limit)
      return {
        issue,
        fate: `would wait: all ${limit} slots for ${issue.state} are taken by issues before it`,
      };
    started += 1;
    byState.set(state, running + 1);
    return { issue, fate: 'would run' };
  });
}

function format(seen: readonly Seen[], explained: boolean): string {
  if (seen.length === 0) return 'No issue is in an active state.\n';
  const rows = seen.map(({ issue, fate }) => [
    issue.identifier,
    oneLine(issue.state, 40),
    issue.priority === null ? '-' : String(issue.priority),
    ...(explained ? [oneLine(fate, 200)] : []),
    oneLine(issue.title, 80),
  ]);
  const head = ['ID', 'STATE', 'PRIO', ...(explained ? ['FATE'] : []), 'TITLE'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function toJson(seen: readonly Seen[]): string {
  const list = seen.map(({ issue, fate }) => ({
    id: issue.id,
    identifier: issue.identifier,
    title: issue.title,
    state: issue.state,
    priority: issue.priority,
    labels: issue.labels,
    blocked_by: issue.blockedBy,
    url: issue.url,
    would_run: fate === 'would run',
    reason: fate === 'would run' ? null : fate,
  }));
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** What the adapter has to complain about is part of the answer. */
function warningsTo(write: (text: string) => void): Logger {
  const logger: Logger = {
    ...silentLogger,
    warn: (message, fields) => write(`aiops: warning: ${message} ${JSON.stringify(fields ?? {})}\n`),
    with: () => logger,
  };
  return logger;
}
