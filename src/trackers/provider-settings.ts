import type { TrackerConfig } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';

/** Reading of `tracker.provider` that adapters share; what is wrong there is an `invalid_tracker_config`. */

/** True unless the workflow says `false`. */
export function readFlag(provider: TrackerConfig['provider'], name: string): boolean {
  const value = provider[name] ?? true;
  if (typeof value === 'boolean') return value;
  throw invalidSetting(`tracker.provider.${name} must be true or false.`, 'Write it without quotes.');
}

export function invalidSetting(message: string, hint: string): AppError {
  return new AppError('invalid_tracker_config', message, { hint });
}

/** Variables that hold the credential: the usual one, and the one that the workflow names. */
export function secretNames(usual: string, { apiKeyVariable }: TrackerConfig): readonly string[] {
  return [...new Set([usual, ...(apiKeyVariable === null ? [] : [apiKeyVariable])])];
}
