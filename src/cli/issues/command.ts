import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { problemsToError } from '../../config/read/problem.ts';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { describeQueue, type Queue } from '../../contract/queue.ts';
import { systemClock } from '../../domain/clock.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Survey } from '../../domain/survey.ts';
import type { Logger } from '../../observability/logger.ts';
import { silentLogger } from '../../observability/logger.ts';
import { queueRow } from '../../orchestrator/snapshot/waiting-rows.ts';
import { type AgentChoice, describeChoice, describeReason } from '../../scheduler/core/profile.ts';
import { agentFor, type SchedulerSettings, schedulerSettings } from '../../scheduler/core/settings.ts';
import { explainListing, type FirstPoll } from '../../scheduler/explain/first-poll.ts';
import { explainQueue } from '../../scheduler/explain/queue.ts';
import { whyIneligible } from '../../scheduler/rules/eligibility.ts';
import { BROKEN_FILE } from '../../trackers/local/broken-file.ts';
import { createTracker } from '../../trackers/registry.ts';
import { oneLine } from '../history/text.ts';
import type { CliIo } from '../io.ts';
import type { RegisterCommand } from '../register-command.ts';
import { ignoredRows } from '../remote/format-status.ts';
import { describeWarning } from '../terminal/describe-warning.ts';
import { type Columns, formatLine, formatTable } from '../terminal/format-table.ts';
import { loadWorkflow } from '../workflow-file.ts';
import { namedWorkflow } from '../workflow-option.ts';

const WOULD_RUN = 'would run';

interface IssuesFlags {
  readonly explain: boolean;
  readonly json: boolean;
}

interface Seen {
  readonly issue: Issue;
  /** What a worker that starts now would do with it. */
  readonly fate: string;
  readonly agent: AgentChoice;
}

/** `aiops issues`: what the worker sees, and why each issue would or would not run. */
export const registerIssuesCommand: RegisterCommand<
  Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd' | 'outputColumns'>
> = (program, io, finish) => {
  program
    .command('issues')
    .description('list the issues a worker would see in the tracker, best first')
    .option('--explain', 'say of each why it would or would not run, and which agent it would get', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nThe tracker is read once; nothing is started or changed. A running worker also knows claims, retries and stops:' +
        '\nsee `aiops status` for those, or `aiops worker --dry-run` for what one that starts now would do.',
    )
    .action(async (flags: IssuesFlags, command: Command) => {
      const path = await chooseWorkflowPath(namedWorkflow(command), io.environment, io.cwd);
      const loaded = await loadWorkflow({ path, environment: io.environment });
      if (!loaded.ok) throw problemsToError(loaded.problems);
      const { seen, queue } = await look(
        loaded.config,
        flags.explain,
        warningsTo(io.stderr, flags.explain ? [BROKEN_FILE] : []),
      );
      if (flags.json) io.stdout(toJson(seen, flags.explain ? queue : null));
      else {
        const columns = io.outputColumns?.() ?? null;
        const list = format(seen, flags.explain, columns);
        io.stdout(`${list}${flags.explain ? formatQueue(queue, columns) : ''}`);
      }
      finish(0);
    });
};

interface Look {
  readonly seen: readonly Seen[];
  readonly queue: Queue;
}

/** `explained` also asks the tracker what there is besides the issues in active states. */
async function look(config: Config, explained: boolean, logger: Logger): Promise<Look> {
  const tracker = await createTracker(config.tracker, { logger });
  const { signal } = new AbortController();
  const issues = await tracker.fetchIssuesByStates(config.tracker.activeStates, signal);
  const survey = explained ? ((await tracker.survey?.read(signal)) ?? null) : null;
  const settings = schedulerSettings(config, []);
  const poll = explainListing(issues, settings, systemClock.now());
  const seen = poll.issues.map(({ issue, reason }) => ({
    issue,
    fate: fateOf(issue, reason, settings),
    agent: agentFor(issue, settings),
  }));
  return { seen, queue: queueAfter(poll, survey) };
}

/** Nothing runs for the sake of a look: what would run at once is ready. */
function queueAfter({ state, waiting }: FirstPoll, survey: Survey | null): Queue {
  const summary = explainQueue(state, waiting, survey);
  return queueRow({ ...summary, running: 0, ready: summary.ready + summary.running });
}

function formatQueue(queue: Queue, columns: Columns): string {
  const ignored = ignoredRows(queue);
  const list = ignored.length === 0 ? '' : `\nIGNORED\n${formatTable(ignored, columns)}`;
  return `\n${formatLine(oneLine(describeQueue(queue), 600), columns)}${list}`;
}

/** In the words of somebody who looks ahead. */
function fateOf(issue: Issue, reason: string | null, settings: SchedulerSettings): string {
  if (reason === null) return WOULD_RUN;
  if (whyIneligible(issue, settings) !== null) return `would not run: ${reason}`;
  return reason.replace(/^(?:waiting for )?/, (found) => (found === '' ? 'would wait: ' : 'would wait for '));
}

function format(seen: readonly Seen[], explained: boolean, columns: Columns): string {
  if (seen.length === 0) return 'No issue is in an active state.\n';
  // While all have the default agent, there is nothing to say about it.
  const routed = explained && seen.some(({ agent }) => describeReason(agent) !== null);
  const rows = seen.map(({ issue, fate, agent }) => [
    issue.identifier,
    oneLine(issue.state, 40),
    issue.priority === null ? '-' : String(issue.priority),
    ...(explained ? [oneLine(fate, 200)] : []),
    ...(routed ? [oneLine(describeChoice(agent), 100)] : []),
    oneLine(issue.title),
  ]);
  const head = ['ID', 'STATE', 'PRIO', ...(explained ? ['FATE'] : []), ...(routed ? ['AGENT'] : []), 'TITLE'];
  return `${formatTable([head, ...rows], columns)}${explained ? formatWarnings(seen, columns) : ''}`;
}

/** Where an issue does not get the agent that its labels ask for. */
function formatWarnings(seen: readonly Seen[], columns: Columns): string {
  return seen
    .flatMap(({ issue, agent: { warning } }) =>
      warning === null ? [] : [formatLine(`! ${issue.identifier}: ${oneLine(warning, 300)}`, columns)],
    )
    .join('');
}

/** A list; with the explanation, an object of both. */
function toJson(seen: readonly Seen[], queue: Queue | null): string {
  const list = seen.map(({ issue, fate, agent }) => ({
    id: issue.id,
    identifier: issue.identifier,
    title: issue.title,
    state: issue.state,
    priority: issue.priority,
    labels: issue.labels,
    author: issue.author?.names[0] ?? null,
    blocked_by: issue.blockedBy,
    url: issue.url,
    would_run: fate === WOULD_RUN,
    reason: fate === WOULD_RUN ? null : fate,
    agent: agent.agent.runner,
    agent_profile: agent.agent.profile,
    agent_reason: agent.because,
    agent_warning: agent.warning,
  }));
  return `${JSON.stringify(queue === null ? list : { issues: list, queue }, null, 2)}\n`;
}

/** What the adapter has to complain about is part of the answer; what the explanation says too is said once. */
function warningsTo(write: (text: string) => void, except: readonly string[]): Logger {
  const logger: Logger = {
    ...silentLogger,
    warn(message, fields) {
      if (!except.includes(message)) write(`aiops: warning: ${describeWarning(message, fields)}\n`);
    },
    with: () => logger,
  };
  return logger;
}
