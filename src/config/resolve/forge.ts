import { parseRepository } from '../../domain/repository.ts';
import type { ForgeConfig, RepoConfig, TrackerConfig } from '../config.ts';
import type { Resolution } from './context.ts';
import type { Secret } from './secret.ts';

const NONE: ForgeConfig = { kind: 'none', endpoint: null, repository: null, token: null };
const GITHUB_API = 'https://api.github.com';

/** Where the repository's branches become pull requests; kind `none` when nobody can tell, or it is not wanted. */
export function resolveForge(at: Resolution, repo: RepoConfig | null, tracker: TrackerConfig): ForgeConfig {
  const { kind: written } = at.written.forge;
  if (written === 'none') return NONE;
  const host = repo === null ? null : hostOf(repo.cloneUrl);
  const endpoint = writtenEndpoint(at);
  const kind = written === 'auto' ? kindOf(at, host, tracker, endpoint) : written;
  if (kind === null) return NONE;
  const repository = parseRepository(repo?.owner && repo.name ? `${repo.owner}/${repo.name}` : null);
  if (repo === null || repository === null) {
    if (written !== 'auto')
      at.problem(
        'forge.kind',
        `forge.kind is ${written}, but the repository on it is not known`,
        'Set repo.clone_url to its address there, or repo.owner and repo.name.',
      );
    return NONE;
  }
  const address = endpoint ?? endpointOf(at, kind, host, tracker);
  if (address === null) {
    at.problem(
      'forge.endpoint',
      `forge.endpoint is needed: repo.clone_url does not name the host of the ${kind} server`,
      `Set it to the address of the ${kind} API.`,
    );
    return NONE;
  }
  const token = tokenFor(repo, tracker, kind, address);
  if (token === null) warnWithoutToken(at, kind);
  return { kind, endpoint: address, repository, token };
}

/** Said once at load, because agents would only find that there is no such tool. */
function warnWithoutToken(at: Resolution, kind: string): void {
  at.warn(
    'repo.token',
    `agents get no tools for pull requests: there is nothing to sign in to ${kind} with`,
    'Set repo.token: $NAME to a token that may write pull requests, or forge.kind: none.',
  );
}

interface Host {
  readonly name: string;
  /** With its port; null where the port is not the one of the web server, as in ssh addresses. */
  readonly web: string | null;
  readonly scheme: 'http' | 'https';
}

/** Null for a folder. */
function hostOf(cloneUrl: string): Host | null {
  if (/^https?:\/\//i.test(cloneUrl)) {
    if (!URL.canParse(cloneUrl)) return null;
    const { host, hostname, protocol } = new URL(cloneUrl);
    return { name: hostname, web: host, scheme: protocol === 'http:' ? 'http' : 'https' };
  }
  const ssh =
    /^(?:ssh|git\+ssh|git):\/\/(?:[^@/]*@)?(?<name>[^:/]+)/i.exec(cloneUrl) ??
    /^(?:[^@/\s:]+@)?(?<name>[^/\s:@]+):(?!\/\/)/.exec(cloneUrl);
  const name = ssh?.groups?.['name']?.toLowerCase();
  return name === undefined || /^file$/i.test(name) ? null : { name, web: null, scheme: 'https' };
}

function kindOf(
  at: Resolution,
  host: Host | null,
  tracker: TrackerConfig,
  endpoint: string | null,
): 'github' | 'gitea' | null {
  if (host === null) return null;
  if (isGithubDotCom(host)) return 'github';
  for (const kind of ['github', 'gitea'] as const) {
    const known = tracker.kind === kind ? tracker.endpoint : at.variable(ENDPOINT_VARIABLES[kind]);
    if (known !== null && isHostOf(known, host)) return kind;
  }
  if (endpoint !== null)
    at.problem(
      'forge.kind',
      'forge.endpoint is set, but not what kind of forge it is',
      'Set forge.kind to github or gitea.',
    );
  return null;
}

const ENDPOINT_VARIABLES = { github: 'GITHUB_API_BASE_URL', gitea: 'GITEA_BASE_URL' } as const;

function isGithubDotCom({ name }: Host): boolean {
  return ['github.com', 'www.github.com', 'ssh.github.com'].includes(name);
}

/** Web servers are told apart by their port, too; behind ssh only the name is known. */
function isHostOf(endpoint: string, host: Host): boolean {
  if (!URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  return host.web === null ? url.hostname === host.name : url.host === host.web;
}

function endpointOf(
  at: Resolution,
  kind: 'github' | 'gitea',
  host: Host | null,
  tracker: TrackerConfig,
): string | null {
  const known = tracker.kind === kind ? tracker.endpoint : at.variable(ENDPOINT_VARIABLES[kind]);
  const isGithubApi = host !== null && isGithubDotCom(host) && servesGithubDotCom(known);
  const isMeant = kind === 'gitea' || host === null || isGithubApi;
  if (known !== null && (isMeant || isHostOf(known, host))) return known.trim().replace(/\/+$/, '');
  if (host === null) return null;
  if (kind === 'github' && isGithubDotCom(host)) return GITHUB_API;
  const origin = `${host.scheme}://${host.web ?? host.name}`;
  return kind === 'github' ? `${origin}/api/v3` : origin;
}

/** The API of github.com itself, or something in between; an Enterprise Server ends in `/api/v3`. */
function servesGithubDotCom(endpoint: string | null): boolean {
  return endpoint !== null && !/\/api\/v3\/?$/.test(endpoint);
}

/** A key goes to the host that it was given for: the tracker's own, and whatever host `repo.token` is for. */
function tokenFor(repo: RepoConfig, tracker: TrackerConfig, kind: string, endpoint: string): Secret | null {
  if (repo.token !== null) return repo.token;
  if (tracker.kind === kind && tracker.endpoint === endpoint && tracker.apiKey !== null)
    return tracker.apiKey;
  return repo.credential?.source === 'clone_url'
    ? (repo.credential.password ?? repo.credential.username)
    : null;
}

function writtenEndpoint(at: Resolution): string | null {
  const key = 'forge.endpoint';
  const written = at.written.forge.endpoint?.trim() ?? '';
  const address = written === '' ? null : (at.expand(key, written)?.trim() ?? null);
  if (address === null) return null;
  if (
    URL.canParse(address) &&
    /^https?:$/.test(new URL(address).protocol) &&
    new URL(address).username === ''
  ) {
    if (new URL(address).protocol === 'http:' && !isLoopback(new URL(address).hostname))
      at.warn(
        key,
        `${key} sends the credential without encryption`,
        'Use https unless the network is trusted.',
      );
    return address.replace(/\/+$/, '');
  }
  at.problem(key, `${key} is not an http or https address`, 'Write it like https://git.example.org.');
  return null;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}
