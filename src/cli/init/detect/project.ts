import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '../../../workspaces/files/path-safety.ts';
import type { ProjectFacts } from './facts.ts';
import { findProjectFacts, READ_FILES } from './verify-commands.ts';

/** Looks at the files at the top of the project; a folder that cannot be read tells nothing. */
export async function findProject(folder: string): Promise<ProjectFacts> {
  const names = await readdir(folder).catch(() => []);
  const entries = await Promise.all(
    names.map(async (name) => {
      const text = READ_FILES.includes(name)
        ? await readRegularFile(join(folder, name)).catch(() => null)
        : '';
      return [name, text ?? ''] as const;
    }),
  );
  return findProjectFacts(new Map(entries));
}
