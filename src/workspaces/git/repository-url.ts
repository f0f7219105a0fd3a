import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shortHash } from '../files/workspace-key.ts';

const MAX_COMPONENT = 100;

/**
 * What a clone URL points at, without scheme, credentials, port of the scheme or `.git`: `host/path`. Two spellings of
 * one repository (https with a token, ssh) share it, so they share a mirror.
 */
export function repositoryIdentity(cloneUrl: string): string {
  const url = cloneUrl.trim();
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/.exec(url);
  if (scheme?.[1]?.toLowerCase() === 'file') return localIdentity(filePath(url));
  if (scheme !== null) {
    const [, , rest = ''] = scheme;
    const slash = rest.indexOf('/');
    const authority = slash < 0 ? rest : rest.slice(0, slash);
    return remoteIdentity(hostOf(authority), slash < 0 ? '' : rest.slice(slash + 1));
  }
  const scp = /^([^/:]+):(?!\\)(.*)$/.exec(url);
  if (scp !== null) return remoteIdentity(hostOf(scp[1] ?? ''), scp[2] ?? '');
  return localIdentity(resolve(url));
}

/** The path of a repository on this machine; null for one elsewhere. */
export function localPathOf(cloneUrl: string): string | null {
  const url = cloneUrl.trim();
  if (!repositoryIdentity(url).startsWith('local/')) return null;
  return /^file:\/\//i.test(url) ? filePath(url) : resolve(url);
}

/** Where the mirror of a repository lives under the mirror root; never outside it, whatever its identity says. */
export function mirrorPath(mirrorRoot: string, identity: string): string {
  const cleaned = identity
    .split('/')
    .filter((part) => part !== '')
    .map(cleanComponent);
  const changed = cleaned.join('/') !== identity;
  const last = cleaned.pop() ?? 'repository';
  const name = changed ? `${last}--${shortHash(identity)}` : last;
  return join(mirrorRoot, ...cleaned, `${name}.shared.git`);
}

/** Takes user and password out of every URL in a text. */
export function stripUrlCredentials(text: string): string {
  return text.replace(/([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\s/'"]*@/g, '$1');
}

function remoteIdentity(host: string, path: string): string {
  return `${host}/${withoutDotGit(path)}`;
}

function localIdentity(path: string): string {
  return `local/${withoutDotGit(path.split(sep).join('/'))}`;
}

function withoutDotGit(path: string): string {
  return path.replace(/^\/+|\/+$/g, '').replace(/\.git$/i, '');
}

function hostOf(authority: string): string {
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .toLowerCase()
    .replace(/:(22|80|443)$/, '');
}

function filePath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url.slice('file://'.length);
  }
}

function cleanComponent(component: string): string {
  const cleaned = component.replace(/[^A-Za-z0-9._-]/gu, '_').slice(0, MAX_COMPONENT);
  return /^\.+$/.test(cleaned) ? '_' : cleaned.replace(/^\./, '_');
}
