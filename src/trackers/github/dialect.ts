import type { RestDialect } from '../forge/rest/dialect.ts';
import { parseBlocker, parseRestIssue } from './normalize.ts';

export const GITHUB: RestDialect = {
  provider: 'GitHub',
  hint: 'Check that tracker.endpoint is the REST API of GitHub.',
  // A transferred issue is answered with a redirect.
  gone: [301, 404, 410],
  parseIssue: parseRestIssue,
  parseBlocker,
};
