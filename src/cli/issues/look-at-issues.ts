import type { Config } from '../../config/config.ts';
import type { Queue } from '../../contract/queue.ts';
import { systemClock } from '../../domain/clock.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Survey } from '../../domain/survey.ts';
import type { Logger } from '../../observability/logger.ts';
import { queueRow } from '../../orchestrator/snapshot/waiting-rows.ts';
import type { AgentChoice } from '../../scheduler/core/profile.ts';
import { agentFor, type SchedulerSettings, schedulerSettings } from '../../scheduler/core/settings.ts';
import { explainListing, type FirstPoll } from '../../scheduler/explain/first-poll.ts';
import { explainQueue } from '../../scheduler/explain/queue.ts';
import { whyIneligible } from '../../scheduler/rules/eligibility.ts';
import { createTracker } from '../../trackers/registry.ts';

export const WOULD_RUN = 'would run';

export interface Seen {
  readonly issue: Issue;
  /** What a worker that starts now would do with it. */
  readonly fate: string;
  readonly agent: AgentChoice;
}

export interface SeenIssues {
  readonly seen: readonly Seen[];
  readonly queue: Queue;
}

/** `explained` also asks the tracker what there is besides the issues in active states. */
export async function lookAtIssues(config: Config, explained: boolean, logger: Logger): Promise<SeenIssues> {
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

/** In the words of somebody who looks ahead. */
function fateOf(issue: Issue, reason: string | null, settings: SchedulerSettings): string {
  if (reason === null) return WOULD_RUN;
  if (whyIneligible(issue, settings) !== null) return `would not run: ${reason}`;
  return reason.replace(/^(?:waiting for )?/, (found) => (found === '' ? 'would wait: ' : 'would wait for '));
}
