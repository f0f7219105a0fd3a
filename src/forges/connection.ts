import type { Secret } from '../config/resolve/secret.ts';
import type { Clock } from '../domain/clock.ts';
import type { Repository } from '../domain/repository.ts';
import { AppError } from '../errors/app-error.ts';
import type { Governor } from '../http/budget/governor.ts';
import type { Logger } from '../observability/logger.ts';

/** What every adapter is made with. */
export interface ForgeOptions {
  readonly endpoint: string;
  readonly token: Secret;
  readonly repository: Repository;
  /** Shared with a tracker that uses the same token. */
  readonly governor: Governor;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
  /** Per request. */
  readonly timeoutMs?: number;
}

export function unusableAnswer(provider: string, what: string): AppError {
  return new AppError('tracker_response', `${provider} gave something unusable for ${what}.`, {
    hint: `Check that forge.endpoint is the API of ${provider}.`,
  });
}
