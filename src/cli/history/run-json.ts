import type { TokenUsage } from '../../domain/usage.ts';
import type { EndedRun } from '../../scheduler/core/commands.ts';
import { runtimeOfEnded } from '../../scheduler/rules/spending.ts';
import type { FoundRun, TimelineEntry } from '../../store/journal.ts';

/** A run for scripts, with the names the API uses. */
export function runToJson(run: EndedRun): Record<string, unknown> {
  const { evidence, end, turns } = run.result;
  return {
    run_id: run.runId,
    issue_id: run.issueId,
    issue_identifier: run.identifier,
    issue_url: run.url,
    title: run.title,
    attempt: run.attempt,
    outcome: run.outcome.kind,
    summary: run.outcome.summary,
    end,
    state_before: run.stateBefore,
    state: run.stateAfter,
    handed_off: run.handedOff,
    started_at: timestamp(run.startedAt),
    ended_at: timestamp(run.endedAt),
    runtime_seconds: runtimeOfEnded(run) / 1000,
    turns,
    tokens: tokensToJson(run.usage),
    cost_usd: run.costUsd,
    branch: evidence.branch,
    head_commit: evidence.headCommit,
    commits: evidence.commitsAhead,
    new_commits: evidence.newCommits,
    pushed: evidence.pushed,
    files_changed: evidence.filesChanged,
    uncommitted_files: evidence.uncommittedFiles,
    pull_request_url: evidence.pullRequestUrl,
    session_id: run.sessionId,
    model: run.model,
    agent_provider: run.runner,
    agent_profile: run.profile,
    workspace_path: run.workspacePath,
  };
}

export function foundRunToJson(
  { runId, identifier, ended, transcript }: FoundRun,
  entries: readonly TimelineEntry[],
): Record<string, unknown> {
  return {
    run_id: runId,
    issue_identifier: identifier,
    run: ended === null ? null : runToJson(ended),
    timeline: {
      reported: transcript?.events ?? entries.length,
      dropped: transcript?.dropped ?? 0,
      events: entries.map(({ seq, at, event }) => ({ seq, at: timestamp(at), ...event })),
    },
  };
}

function tokensToJson({ inputTokens, outputTokens, totalTokens }: TokenUsage): Record<string, number> {
  return { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: totalTokens };
}

/** Null for a time no calendar has. */
function timestamp(instant: number): string | null {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
