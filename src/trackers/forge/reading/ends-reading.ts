import { AppError } from '../../../errors/app-error.ts';

/** After a rate limit or a cancelled call nothing else is read; any other failure stays with what it is about. */
export function endsReading(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (error instanceof AppError && error.code === 'tracker_rate_limited');
}
