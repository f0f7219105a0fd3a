import { parseRepository } from '../../domain/repository.ts';
import type { ForgeConfig, RepoConfig, TrackerConfig } from '../config.ts';
import type { ForgeSettings } from '../kinds.ts';
import { either } from '../schema/tracker.ts';
import { type Host, hostOf } from './clone-url.ts';
import type { Resolution } from './context.ts';
import type { Secret } from './secret.ts';

const NONE: ForgeConfig = { kind: 'none', endpoint: null, repository: null, token: null };

/** Where the repository's branches become pull requests; kind `none` when nobody can tell, or it is not wanted. */
export function resolveForge(at: Resolution, repo: RepoConfig | null, tracker: TrackerConfig): ForgeConfig {
  const { kind: written } = at.written.forge;
  if (written === 'none') return NONE;
  const host = repo === null ? null : hostOf(repo.cloneUrl);
  const endpoint = writtenEndpoint(at);
  const { forges } = at.format.kinds;
  const forge =
    written === 'auto' ? forgeOf(at, host, tracker, endpoint) : forges.find(({ kind }) => kind === written);
  if (forge === undefined) return NONE;
  const { kind } = forge;
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
  const address = endpoint ?? endpointOf(at, forge, host, tracker);
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

function forgeOf(
  at: Resolution,
  host: Host | null,
  tracker: TrackerConfig,
  endpoint: string | null,
): ForgeSettings | undefined {
  if (host === null) return undefined;
  const { forges } = at.format.kinds;
  const found =
    forges.find((forge) => isServiceOf(forge, host)) ??
    forges.find((forge) => {
      const known = knownEndpoint(at, forge, tracker);
      return known !== null && isHostOf(known, host);
    });
  if (found === undefined && endpoint !== null)
    at.problem(
      'forge.kind',
      'forge.endpoint is set, but not what kind of forge it is',
      `Set forge.kind to ${either(forges.map(({ kind }) => kind))}.`,
    );
  return found;
}

function isServiceOf({ service }: ForgeSettings, { name }: Host): boolean {
  return service?.hosts.includes(name) === true;
}

function knownEndpoint(at: Resolution, forge: ForgeSettings, tracker: TrackerConfig): string | null {
  return tracker.kind === forge.kind ? tracker.endpoint : at.variable(forge.endpointVariable);
}

/** Web servers are told apart by their port, too; behind ssh only the name is known. */
function isHostOf(endpoint: string, host: Host): boolean {
  if (!URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  return host.web === null ? url.hostname === host.name : url.host === host.web;
}

function endpointOf(
  at: Resolution,
  forge: ForgeSettings,
  host: Host | null,
  tracker: TrackerConfig,
): string | null {
  const { service, apiPath } = forge;
  const known = knownEndpoint(at, forge, tracker);
  const isService = host !== null && isServiceOf(forge, host);
  const isMeant = service === null || host === null || (isService && mayServe(forge, known));
  if (known !== null && (isMeant || isHostOf(known, host))) return known.trim().replace(/\/+$/, '');
  if (host === null) return null;
  if (service !== null && isService) return service.endpoint;
  return `${host.origin}${apiPath}`;
}

/** The API of the service itself, or something in between; that of another server ends in its path. */
function mayServe({ apiPath }: ForgeSettings, endpoint: string | null): boolean {
  return endpoint !== null && !endpoint.replace(/\/$/, '').endsWith(apiPath);
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
