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
