import { formatCountdown } from '../../contract/format.ts';
import type { StateSnapshot } from '../../contract/state.ts';
import { cleanLine } from '../text/clean.ts';
import type { Tone } from '../text/paint.ts';

export interface Alert {
  readonly text: string;
  readonly tone: Tone;
}

/** What keeps the worker as a whole from working as configured, the worst first. */
export function alertsOf(state: StateSnapshot, now: number): readonly Alert[] {
  const { last_poll: poll, config, journal, tracker } = state;
  const alerts: Alert[] = state.preflight.errors.map(({ message, hint }) =>
    bad(`nothing starts: ${withFix(message, hint)}`),
  );
  if (poll?.ok === false)
    alerts.push(bad(`the tracker could not be read: ${poll.error ?? 'the log says why'}`));
  if (state.paused) alerts.push(warning('paused: no new run starts until you resume with p'));
  if (config.reload_error !== undefined)
    alerts.push(warning(`the last edit of the workflow is not in use: ${config.reload_error}`));
  if (journal.problem !== null) alerts.push(warning(journal.problem));
  if (tracker.paused_until !== null)
    alerts.push(warning(`the tracker asked for silence; asked again ${until(tracker.paused_until, now)}`));
  else if (tracker.slowed_until !== null)
    alerts.push(warning(`the tracker is asked less often; asked again ${until(tracker.slowed_until, now)}`));
  return [
    ...alerts,
    ...state.warnings.map(({ message, fix }) => warning(withFix(message, fix ?? undefined))),
  ];
}

function withFix(message: string, fix: string | undefined): string {
  return fix === undefined ? message : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${fix}`;
}

function until(at: string, now: number): string {
  return formatCountdown((Date.parse(at) - now) / 1000);
}

function bad(text: string): Alert {
  return { text: cleanLine(text), tone: 'bad' };
}

function warning(text: string): Alert {
  return { text: cleanLine(text), tone: 'attention' };
}
