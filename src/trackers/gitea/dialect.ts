import type { RestDialect } from '../forge/rest/dialect.ts';
import { parseBlocker, parseIssue } from './normalize.ts';

export const GITEA: RestDialect = {
  provider: 'Gitea',
  hint: 'Check that tracker.endpoint is the address of a Gitea or Forgejo server.',
  gone: [404, 410],
  parseIssue,
  parseBlocker,
};
