import { mkdir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseForeignJson } from '../../domain/nesting.ts';
import { removeFile } from '../../process/files/remove-file.ts';
import { type Layout, layoutOf } from '../files/layout.ts';
import { readRegularFile, replaceFile } from '../files/path-safety.ts';

/** Older ones are long behind the branch. */
const MAX_KNOWN = 50;
/** How long a push by somebody else is told of when it is not followed by another. */
const TOLD_FOR_MS = 24 * 60 * 60_000;

const seenSchema = z.object({
  version: z.literal(1),
  identifier: z.string(),
  branch: z.string(),
  /** Where the remote's branch was when a run began, and what this worker sent to it; the newest last. */
  known: z.array(z.string()),
  /** The last that came from elsewhere after a run had begun. */
  foreign: z
    .object({
      commit: z.string(),
      /** As the commit has it; null when it could not be read. */
      author: z.string().nullable(),
      /** Epoch milliseconds. */
      at: z.number(),
    })
    .nullable(),
});

/** What this worker knows of the remote's branch of an issue. Kept beside the workspaces, where no agent writes. */
export type SeenBranch = z.infer<typeof seenSchema>;

/** A push that came to the branch of an issue, not through this worker. */
export interface ForeignPush {
  readonly identifier: string;
  readonly branch: string;
  readonly commit: string;
  readonly author: string | null;
}

export interface SeenIssue {
  readonly key: string;
  readonly identifier: string;
}

/** Null when nothing is known, and so nothing can be said about where the branch is now. */
export async function readSeen(layout: Layout, key: string): Promise<SeenBranch | null> {
  return parse(await readRegularFile(seenPath(layout, key)));
}

/** Adds a commit that is no surprise on the remote's branch; with null the branch is known not to be there. */
export async function addKnown(
  layout: Layout,
  { key, identifier }: SeenIssue,
  branch: string,
  commit: string | null,
): Promise<void> {
  const before = await readSeen(layout, key);
  const same = before !== null && before.branch === branch ? before : null;
  if (same !== null && (commit === null || same.known.includes(commit))) return;
  const known = [...(same?.known ?? []), ...(commit === null ? [] : [commit])].slice(-MAX_KNOWN);
  const foreign = same?.foreign ?? null;
  await writeSeen(layout, key, { version: 1, identifier, branch, known, foreign });
}

export async function writeSeen(layout: Layout, key: string, seen: SeenBranch): Promise<void> {
  await mkdir(layout.branches, { recursive: true, mode: 0o700 });
  await replaceFile(seenPath(layout, key), `${JSON.stringify(seen)}\n`);
}

export async function forgetSeen(layout: Layout, key: string): Promise<void> {
  await removeFile(seenPath(layout, key));
}

/** What came from elsewhere of late, for somebody who only looks: nothing is created. The newest first. */
export async function readForeignPushes(root: string, now: number): Promise<readonly ForeignPush[]> {
  const { branches } = layoutOf(await realpath(root).catch(() => root));
  const names = await readdir(branches).catch((): string[] => []);
  const texts = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => readRegularFile(join(branches, name))),
  );
  return texts
    .flatMap((text) => parse(text) ?? [])
    .flatMap(({ identifier, branch, foreign }) =>
      foreign === null || Math.abs(now - foreign.at) > TOLD_FOR_MS
        ? []
        : [{ identifier, branch, ...foreign }],
    )
    .toSorted((a, b) => b.at - a.at)
    .map(({ identifier, branch, commit, author }) => ({ identifier, branch, commit, author }));
}

function parse(text: string | null): SeenBranch | null {
  if (text === null) return null;
  try {
    return seenSchema.safeParse(parseForeignJson(text)).data ?? null;
  } catch {
    return null;
  }
}

function seenPath(layout: Layout, key: string): string {
  return join(layout.branches, `${key.toLowerCase()}.json`);
}
