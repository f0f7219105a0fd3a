import { formatAge } from '../../../src/contract/format.ts';
import type { StateSnapshot } from '../../../src/contract/state.ts';
import { deriveTrackerAlerts } from './derive-tracker.ts';

export interface AlertView {
  readonly key: string;
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly detail: string;
}

/** What keeps the worker as a whole from working as configured. */
export function deriveAlerts(snapshot: StateSnapshot, workerNow: number): readonly AlertView[] {
  const alerts: AlertView[] = snapshot.preflight.errors.map((error) => ({
    key: `preflight:${error.code}:${error.message}`,
    severity: 'error',
    title: 'No new work is started',
    detail: error.hint === undefined ? error.message : `${error.message}. ${error.hint}`,
  }));
  alerts.push(
    ...snapshot.warnings.map(
      ({ id, message, fix, since }): AlertView => ({
        key: `warning:${id}`,
        severity: 'warning',
        title: message,
        detail: [fix, `Begun ${formatAge((workerNow - Date.parse(since)) / 1000)}.`]
          .filter(Boolean)
          .join(' '),
      }),
    ),
  );
  if (snapshot.config.reload_error !== undefined) {
    alerts.push({
      key: 'reload',
      severity: 'warning',
      title: 'The last edit of the workflow is not in use',
      detail: snapshot.config.reload_error,
    });
  }
  if (snapshot.paused) {
    alerts.push({
      key: 'paused',
      severity: 'warning',
      title: 'Dispatch is paused',
      detail: 'Running agents go on; no new run starts until an operator resumes it.',
    });
  }
  if (snapshot.journal.problem !== null) {
    alerts.push({
      key: 'journal',
      severity: 'warning',
      title: 'The journal is not being kept',
      detail: snapshot.journal.problem,
    });
  }
  alerts.push(...deriveTrackerAlerts(snapshot, workerNow));
  const poll = snapshot.last_poll;
  if (poll !== null && !poll.ok) {
    alerts.push({
      key: 'poll',
      severity: 'error',
      title: `The tracker could not be read ${formatAge((workerNow - Date.parse(poll.at)) / 1000)}`,
      detail: poll.error ?? 'The worker log says why.',
    });
  }
  return alerts;
}
