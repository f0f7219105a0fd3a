import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import { writeRepository } from '../git/write-repository.ts';
import type { RepositoryView } from '../reading/repository-view.ts';

/** Refs to save, and the commits the reader is known to have. */
export interface BundleContent {
  readonly refs: ReadonlyMap<string, string>;
  readonly known: readonly string[];
}

/**
 * A throw-away bare repository holding exactly the refs to save, over the view's objects. From it a bundle is written
 * and a mirror can fetch.
 */
export async function createCarrier(
  view: RepositoryView,
  refs: ReadonlyMap<string, string>,
  objects: readonly string[],
): Promise<string> {
  const carrier = join(view.directory, 'carrier.git');
  const format = (await view.query(['rev-parse', '--show-object-format'])) ?? 'sha1';
  const extensions = format === 'sha1' ? {} : { extensions: { objectFormat: format } };
  const config = {
    core: { repositoryformatversion: format === 'sha1' ? '0' : '1', bare: 'true' },
    ...extensions,
  };
  const borrows = [join(view.directory, 'objects'), ...objects];
  await writeRepository(carrier, { head: 'refs/heads/none', config, borrows, refs });
  return carrier;
}

/** Writes a bundle of a carrier's refs, without what `known` already reaches. */
export async function writeBundle(
  git: Git,
  carrier: string,
  file: string,
  content: BundleContent,
  signal: AbortSignal,
): Promise<void> {
  const lines = [...content.refs.keys(), ...content.known.map((id) => `^${id}`)];
  await git.run(['bundle', 'create', '--quiet', file, '--stdin'], {
    cwd: carrier,
    action: 'saving unpushed work',
    signal,
    input: `${lines.join('\n')}\n`,
  });
}
