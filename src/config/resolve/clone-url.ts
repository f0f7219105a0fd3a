import type { Repository } from '../../domain/repository.ts';

/** `https://user:secret@host/x` without the user part, wherever in the text it stands. */
export function maskUserInfo(text: string): string {
  return text.replace(/:\/\/[^\s/?#]*@/g, '://');
}

/** The last two parts of the path of a remote address: `git@host:team/app.git` is team/app. Null for local paths. */
export function repositoryNameOf(cloneUrl: string): Repository | null {
  const path =
    /^[a-z][a-z0-9+.-]*:\/\/[^/]+\/(.+)$/i.exec(cloneUrl)?.[1] ??
    /^[^/\s:]+:(?!\/\/)(.+)$/.exec(cloneUrl)?.[1];
  if (path === undefined || /^file:/i.test(cloneUrl)) return null;
  const parts = path
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((part) => part !== '');
  const name = parts.at(-1);
  const owner = parts.at(-2);
  return name === undefined || owner === undefined ? null : { owner, name };
}

export interface Host {
  /** `git.example.org`, without a port. */
  readonly name: string;
  /** With its port; null where the port is not the one of the web server, as in ssh addresses. */
  readonly web: string | null;
  /** Where its web server answers. */
  readonly origin: string;
}

/** The host of a remote address. Null for a folder. */
export function hostOf(cloneUrl: string): Host | null {
  if (/^https?:\/\//i.test(cloneUrl)) {
    if (!URL.canParse(cloneUrl)) return null;
    const { host, hostname, protocol } = new URL(cloneUrl);
    return { name: hostname, web: host, origin: `${protocol}//${host}` };
  }
  const ssh =
    /^(?:ssh|git\+ssh|git):\/\/(?:[^@/]*@)?(?<name>[^:/]+)/i.exec(cloneUrl) ??
    /^(?:[^@/\s:]+@)?(?<name>[^/\s:@]+):(?!\/\/)/.exec(cloneUrl);
  const name = ssh?.groups?.['name']?.toLowerCase();
  return name === undefined || name === 'file' ? null : { name, web: null, origin: `https://${name}` };
}
