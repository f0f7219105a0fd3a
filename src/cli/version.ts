import { readFileSync } from 'node:fs';
import { packageFile } from '../process/package-file.ts';

/** The package's own version. */
export function readVersion(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8');
  const parsed: unknown = JSON.parse(text);
  const version =
    typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : null;
  return typeof version === 'string' ? version : 'unknown';
}
