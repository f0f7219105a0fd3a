import type { ConfigSecret, TrackerConfig } from '../config.ts';
import { nonBlank } from '../read/environment.ts';
import { secretKeys } from '../schema/shape.ts';
import { type Resolution, variableName } from './context.ts';
import { Secret } from './secret.ts';

/**
 * Every credential of the file, found by what the schema says about its keys: a new key that is marked there is kept from
 * children without a word here. The tracker's may come from a variable that no key names.
 */
export function resolveSecrets(at: Resolution, tracker: TrackerConfig): readonly ConfigSecret[] {
  const written = secretKeys(at.format.schema).flatMap((key): ConfigSecret[] => {
    const text = at.valueAt(key);
    if (typeof text !== 'string' || text.trim() === '') return [];
    const variable = variableName(text);
    const value = variable === null ? text : nonBlank(at.environment, variable);
    return [{ key, variable, value: value === null ? null : new Secret(value.trim()) }];
  });
  const { apiKey, apiKeyVariable } = tracker;
  if (apiKey === null || written.some(({ variable }) => variable !== null && variable === apiKeyVariable))
    return written;
  return [...written, { key: 'tracker.api_key', variable: apiKeyVariable, value: apiKey }];
}
