import { hostOf, repositoryNameOf } from '../../../config/resolve/clone-url.ts';

/** The parts of a remote address that tell where its forge is. */
export interface RemoteAddress {
  /** `git.example.org`, without a port. */
  readonly host: string;
  /** Where the web server of that host answers. */
  readonly origin: string;
  readonly owner: string;
  readonly name: string;
}

/** Null for paths, `file:` addresses, and addresses without an owner. */
export function parseRemote(cloneUrl: string): RemoteAddress | null {
  const repository = repositoryNameOf(cloneUrl);
  const host = hostOf(cloneUrl);
  if (repository === null || host === null) return null;
  return { host: host.name, origin: host.origin, ...repository };
}

/** True for what git reaches over a network, by a scheme or in the `host:path` style of ssh. */
export function isRemoteAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[^/\s:]+:(?!\/\/)./.test(text);
}

/** A user and password in a web address belong to a person, not into a file; the user of ssh stays. */
export function withoutCredentials(cloneUrl: string): string {
  if (!/^https?:\/\//i.test(cloneUrl) || !URL.canParse(cloneUrl)) return cloneUrl;
  const url = new URL(cloneUrl);
  if (url.username === '' && url.password === '') return cloneUrl;
  url.username = '';
  url.password = '';
  return url.href;
}
