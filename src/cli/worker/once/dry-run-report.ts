import { systemClock } from '../../../domain/clock.ts';
import type { StartRun } from '../../../domain/start-run.ts';
import { describeChoice, describeReason } from '../../../scheduler/core/profile.ts';
import { agentFor } from '../../../scheduler/core/settings.ts';
import { explainWaiting } from '../../../scheduler/explain/explain.ts';
import { describeStop } from '../../../scheduler/phases/reconcile.ts';
import { oneLine } from '../../history/text.ts';
import type { Look } from '../../terminal/look.ts';
import type { DryRun } from './dry-run.ts';
import { formatPoll, pollToJson } from './once-report.ts';
import { formatPending, indented, type PendingIssues, pendingToJson } from './pending-issues.ts';

export function formatDryRun(plan: DryRun, look: Look): string {
  const { starts, stops, removals, state } = plan.firstPoll;
  const parts = [
    state.lastPoll === null ? '' : formatPoll(state.lastPoll),
    formatWorker(plan, look),
    starts.length === 0
      ? 'No run would start now.\n'
      : `Would start now, in this order:\n${indented(
          starts.map((run, index) => startRow(run, index, plan)),
          look,
        )}`,
    ...starts.map((run) => warningLine(run, plan)),
    section(
      look,
      'Would be stopped',
      stops.map(({ issue, reason }) => [issue.identifier, describeStop(reason)]),
    ),
    section(
      look,
      'Workspaces that would be removed',
      removals.map(({ identifier }) => [identifier, 'its issue is terminal; unpushed work is saved first']),
    ),
    formatPending(pendingOf(plan), systemClock.now(), look),
    'This was a dry run: nothing was changed.\n',
  ];
  return parts.join('');
}

export function dryRunToJson(plan: DryRun): string {
  const { firstPoll, settings, worker, running } = plan;
  const { starts, stops, removals, state } = firstPoll;
  const value = {
    poll: state.lastPoll === null ? null : pollToJson(state.lastPoll),
    worker: worker === null ? null : { pid: worker.pid, host: worker.host, since: worker.since },
    running: running.map(({ runId, issueId, identifier }) => ({
      run_id: runId,
      issue_id: issueId,
      issue_identifier: identifier,
    })),
    would_start: starts.map(({ issue, attempt, retryKind, resumeSessionId, profile, maxTurns }) => ({
      issue_id: issue.id,
      issue_identifier: issue.identifier,
      title: issue.title,
      state: issue.state,
      priority: issue.priority,
      agent: agentFor(issue, settings).agent.runner,
      agent_profile: profile,
      agent_reason: describeReason(agentFor(issue, settings)),
      agent_warning: agentFor(issue, settings).warning,
      attempt,
      retry_kind: retryKind,
      resumes_session: resumeSessionId !== null,
      max_turns: maxTurns,
    })),
    would_stop: stops.map(({ issue, reason }) => ({
      issue_id: issue.id,
      issue_identifier: issue.identifier,
      reason: describeStop(reason),
    })),
    would_remove: removals.map(({ issueId, identifier }) => ({
      issue_id: issueId,
      issue_identifier: identifier,
    })),
    ...pendingToJson(pendingOf(plan)),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function pendingOf({ firstPoll: { state }, settings }: DryRun): PendingIssues {
  const claims = [...state.claims.values()];
  return {
    retrying: claims.filter((claim) => claim.phase === 'retrying'),
    blocked: claims.filter((claim) => claim.phase === 'blocked'),
    waiting: explainWaiting(state, settings, systemClock.now()),
  };
}

function formatWorker({ worker, running }: DryRun, look: Look): string {
  if (worker === null) return '';
  const place = `A worker is at work: process ${worker.pid} on ${worker.host}, since ${worker.since}.\n`;
  return `${place}${section(
    look,
    'It runs',
    running.map(({ identifier, runId }) => [identifier, runId]),
  )}`;
}

function startRow({ issue, attempt, retryKind }: StartRun, index: number, { settings }: DryRun): string[] {
  const which = attempt === null ? 'first run' : `${retryKind ?? 'next'} run, attempt ${attempt}`;
  const priority = issue.priority === null ? 'no priority' : `priority ${issue.priority}`;
  return [
    `${index + 1}.`,
    issue.identifier,
    issue.state,
    priority,
    which.replaceAll('_', ' '),
    describeChoice(agentFor(issue, settings)),
    issue.title,
  ];
}

/** Said when labels ask for an agent that there is not, or for several. */
function warningLine({ issue }: StartRun, { settings }: DryRun): string {
  const { warning } = agentFor(issue, settings);
  return warning === null ? '' : `! ${issue.identifier}: ${oneLine(warning, 300)}\n`;
}

function section(look: Look, title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${title}:\n${indented(rows, look)}`;
}
