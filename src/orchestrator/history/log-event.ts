import type { Logger } from '../../observability/logger.ts';
import type { RuntimeEvent, RuntimeEventKind } from '../../scheduler/core/commands.ts';

/** Kinds an operator should look at. */
const WARNINGS: ReadonlySet<RuntimeEventKind> = new Set([
  'failed',
  'stalled',
  'input_blocked',
  'continuation_budget_blocked',
  'budget_exceeded',
  'no_progress_blocked',
  'not_pushed_blocked',
  'push_failed',
  'operator_terminal_stop_dispatch_suppressed',
  'dispatch_preflight_failed',
  'tracker_poll_failed',
  'workspace_cleanup_failed',
  'memory_lost',
  'clock_moved',
  'agent_choice',
]);

/** One log line per runtime event; the kind is the constant text. */
export function logEvent(logger: Logger, event: RuntimeEvent): void {
  const fields: Record<string, unknown> = { event: event.kind };
  if (event.issueId !== null) fields['issue_id'] = event.issueId;
  if (event.identifier !== null) fields['issue_identifier'] = event.identifier;
  if (event.runId !== null) fields['run_id'] = event.runId;
  if (event.sessionId !== null) fields['session_id'] = event.sessionId;
  fields['detail'] = event.message;
  const text = event.kind.replaceAll('_', ' ');
  if (WARNINGS.has(event.kind)) logger.warn(text, fields);
  else logger.info(text, fields);
}
