import type { Secret } from '../config/resolve/secret.ts';
import type { Repository } from '../domain/repository.ts';
import { AppError } from '../errors/app-error.ts';
import type { ApiConnection } from '../http/request/api-http.ts';

/** What every adapter is made with; a tracker that uses the same token has the same governor. */
export interface ForgeOptions extends ApiConnection {
  readonly endpoint: string;
  readonly token: Secret;
  readonly repository: Repository;
}

export function unusableAnswer(provider: string, what: string): AppError {
  return new AppError('tracker_response', `${provider} gave something unusable for ${what}.`, {
    hint: `Check that forge.endpoint is the API of ${provider}.`,
  });
}
