import type { RepoConfig, RepoCredential, TrackerConfig } from '../config.ts';
import type { ForgeSettings } from '../kinds.ts';
import { Secret } from './secret.ts';

export interface SplitUrl {
  /** Without user and password. */
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
}

/** Takes the credential out of an http or https address; every other address is itself, its user included. */
export function splitCloneUrl(url: string): SplitUrl {
  const match = /^(https?:\/\/)([^\s/?#]*)@(.*)$/is.exec(url);
  if (match === null) return { url, username: null, password: null };
  const [, scheme = '', userInfo = '', rest = ''] = match;
  const colon = userInfo.indexOf(':');
  const username = colon < 0 ? userInfo : userInfo.slice(0, colon);
  const password = colon < 0 ? null : userInfo.slice(colon + 1);
  return {
    url: scheme + rest,
    username: username === '' ? null : decoded(username),
    password: password === null ? null : decoded(password),
  };
}

type Located = Pick<RepoConfig, 'cloneUrl' | 'token'>;

/** Which credential the host of the clone address gets: the address's own, `repo.token`, the tracker's on the same host. */
export function chooseCredential(
  { cloneUrl, token }: Located,
  own: Pick<SplitUrl, 'username' | 'password'>,
  tracker: TrackerConfig,
  forges: readonly ForgeSettings[],
): RepoCredential | null {
  const { username, password } = own;
  if (username !== null && password !== null && password !== '')
    return { source: 'clone_url', username: new Secret(username), password: new Secret(password) };
  if (token !== null)
    return { source: 'repo.token', username: new Secret(username ?? TOKEN_USER), password: token };
  if (tracker.apiKey !== null && isTrackerHost(cloneUrl, tracker, forges))
    return { source: 'tracker', username: new Secret(username ?? TOKEN_USER), password: tracker.apiKey };
  return username === null ? null : { source: 'clone_url', username: new Secret(username), password: null };
}

/** GitHub wants this name beside a token; others take any. */
const TOKEN_USER = 'x-access-token';

function isTrackerHost(
  cloneUrl: string,
  { kind, endpoint }: TrackerConfig,
  forges: readonly ForgeSettings[],
): boolean {
  const forge = forges.find((known) => known.kind === kind);
  if (forge === undefined) return false;
  if (endpoint === null || !URL.canParse(endpoint) || !/^https?:\/\//i.test(cloneUrl)) return false;
  if (!URL.canParse(cloneUrl)) return false;
  const api = new URL(endpoint);
  const { service } = forge;
  const host = service !== null && api.host === new URL(service.endpoint).host ? service.hosts[0] : api.host;
  const clone = new URL(cloneUrl);
  // A key that the tracker gets over https does not go out in the clear.
  return clone.host === host && (clone.protocol === 'https:' || api.protocol === 'http:');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
