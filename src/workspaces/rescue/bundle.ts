import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renderGitConfig } from '../git/config-text.ts';
import type { Git } from '../git/git.ts';
import { replaceFile } from '../ownership/path-safety.ts';
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
  git: Git,
  view: RepositoryView,
  refs: ReadonlyMap<string, string>,
  objects: readonly string[],
): Promise<string> {
  const carrier = join(view.directory, 'carrier.git');
  await mkdir(carrier);
  const format = (await view.query(['rev-parse', '--show-object-format'])) ?? 'sha1';
  await git.run(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`], {
    cwd: carrier,
    action: 'preparing a rescue',
  });
  const extensions = format === 'sha1' ? {} : { extensions: { objectFormat: format } };
  const config = {
    core: { repositoryformatversion: format === 'sha1' ? '0' : '1', bare: 'true' },
    ...extensions,
  };
  await replaceFile(join(carrier, 'config'), renderGitConfig(config));
  const borrowed = [join(view.directory, 'objects'), ...objects];
  await mkdir(join(carrier, 'objects', 'info'), { recursive: true });
  await replaceFile(
    join(carrier, 'objects', 'info', 'alternates'),
    borrowed.map((path) => `${path}\n`).join(''),
  );
  await replaceFile(join(carrier, 'packed-refs'), [...refs].map(([name, id]) => `${id} ${name}\n`).join(''));
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
