import type { Config, RepoConfig } from '../../../config/config.ts';
import type { Secret } from '../../../config/resolve/secret.ts';
import type { Redactor } from '../../../observability/redact.ts';
import type { AccessTokens, UserTokens } from '../../../server/access/access.ts';
import type { CliIo } from '../../io.ts';
import { readApiTokens } from '../../record/api-tokens.ts';
import type { OwnRecord } from '../../record/own-record.ts';
import { pageLink } from '../../record/page-link.ts';

/** What opens the API from now on. */
export async function readAccess(
  config: Config,
  { token }: OwnRecord,
  { environment, cwd }: CliIo,
  redactor: Redactor,
): Promise<AccessTokens> {
  const tokens = await readApiTokens(environment, cwd);
  registerSecrets(redactor, config, tokens);
  redactor.register(token);
  return { ...tokens, own: token, required: config.server.requireToken };
}

/** From now on these values are taken out of logs, events, the journal and answers. */
export function registerSecrets(redactor: Redactor, config: Config, tokens: UserTokens): void {
  const { webhookUrl, slackUrl } = config.notifications;
  const { repo, tracker, server } = config;
  const ofRepository = [repo?.token, repo?.credential?.password, tokenAsUser(repo)];
  const secrets = [tracker.apiKey, webhookUrl, slackUrl, server.webhooks.secret, ...ofRepository];
  const values = [...secrets.map((secret) => secret?.reveal()), tokens.full, tokens.readOnly];
  for (const value of values) if (typeof value === 'string') redactor.register(value);
}

/** `https://TOKEN@host/…` writes a token where a name stands; a name beside a password is none. */
function tokenAsUser(repo: RepoConfig | null): Secret | null {
  const credential = repo?.credential ?? null;
  return credential?.password === null ? credential.username : null;
}

/** Where the user set a token, the browser asks for that one. */
export function linkTo(url: string | null, { full, readOnly, own }: AccessTokens): string | null {
  if (url === null) return null;
  return pageLink(url, full === null && readOnly === null ? { token: own } : {});
}
