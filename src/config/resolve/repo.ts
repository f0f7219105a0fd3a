import type { RepoConfig, TrackerConfig } from '../config.ts';
import { repoBlock } from '../schema/repo.ts';
import { readBlock } from '../schema/settings.ts';
import { maskUserInfo, repositoryNameOf } from './clone-url.ts';
import type { Resolution } from './context.ts';
import { chooseCredential, type SplitUrl, splitCloneUrl } from './repo-credential.ts';

/** The repository as the file writes it, and the user and password its address held. */
export interface WrittenRepo {
  readonly repo: Omit<RepoConfig, 'credential'>;
  readonly own: Pick<SplitUrl, 'username' | 'password'>;
}

/** Null in the Symphony dialect; with a `repo` block the clone address is required. */
export function resolveRepo(at: Resolution): WrittenRepo | null {
  if (at.dialect === 'symphony') {
    const filled = at.has('hooks.after_create') || at.has('hooks.before_run');
    if (!filled) {
      at.warn(
        'repo',
        'there is no repo block and no hook that fills the workspace: agents start in an empty directory',
        'Add repo: {clone_url: …}, or clone in hooks.after_create.',
      );
    }
    return null;
  }
  const { repo } = at.written;
  const { url: cloneUrl, ...own } = splitCloneUrl(resolveCloneUrl(at));
  if (own.password !== null && own.password !== '') at.hidden.add(own.password);
  const derived = repositoryNameOf(cloneUrl);
  const given = (value: string | undefined) =>
    value === undefined || value.trim() === '' ? null : value.trim();
  return {
    repo: {
      ...readBlock(at, repoBlock, repo, (name) => `repo.${name}`),
      owner: given(repo.owner) ?? derived?.owner ?? null,
      name: given(repo.name) ?? derived?.name ?? null,
      cloneUrl,
    },
    own,
  };
}

/** The repository with the credential its host gets, which may be the tracker's. */
export function withCredential(
  at: Resolution,
  { repo, own }: WrittenRepo,
  tracker: TrackerConfig,
): RepoConfig {
  return { ...repo, credential: chooseCredential(repo, own, tracker, at.format.kinds.forges) };
}

function resolveCloneUrl(at: Resolution): string {
  const key = 'repo.clone_url';
  const written = at.written.repo.clone_url?.trim() ?? '';
  if (written === '') {
    at.problem(
      key,
      `${key} is required in a repo block`,
      'Set it to what git clone takes, or remove the repo block.',
    );
    return '';
  }
  const expanded = (isPath(written) ? at.expandPath(key, written) : at.expand(key, written))?.trim() ?? '';
  if (/^-|[\s\p{Cc}]/u.test(maskUserInfo(expanded))) {
    at.problem(
      key,
      `${key} is not an address git can clone`,
      'Write an https, ssh or scp-style address, or a path.',
    );
  }
  return /^(~|\.{1,2})(\/|$)/.test(expanded) ? at.absolute(expanded) : expanded;
}

/** A path that begins with a variable, as no address does. */
function isPath(written: string): boolean {
  return /^\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})\/[^:@]*$/.test(written);
}
