import { opendir } from 'node:fs/promises';
import { holdDirectory } from '../reading/held-directory.ts';
import { discard, readHeldFile, replaceHeldFile } from '../reading/held-files.ts';
import { DOOR } from './door-hook.ts';

const MAX_REQUEST_BYTES = 512;
/** Taken in one go; the others have their turn after these. */
const MAX_REQUESTS = 64;
/** Entries looked at in one go; an agent that leaves more hides its own requests. */
const MAX_ENTRIES = 10_000;
const REQUEST_NAME = /^[A-Za-z0-9]{6,32}$/;

/** What a request says, checked for its form only. */
export interface DoorRequest {
  readonly name: string;
  readonly commit: string;
  readonly ref: string;
  readonly force: boolean;
}

/** Reads and deletes the requests that wait in a workspace's door. Nothing in it is trusted, followed or waited for. */
export async function takeRequests(workTree: string): Promise<(DoorRequest | { readonly name: string })[]> {
  const folder = await holdDirectory(workTree, ['.git', ...DOOR, 'requests']);
  if (folder === null) return [];
  try {
    const found: (DoorRequest | { name: string })[] = [];
    let looked = 0;
    for await (const { name } of await opendir(folder.at(''))) {
      looked += 1;
      if (looked > MAX_ENTRIES || found.length === MAX_REQUESTS) break;
      if (!REQUEST_NAME.test(name)) continue;
      const text = await readHeldFile(folder, name, MAX_REQUEST_BYTES);
      // What cannot be deleted is a directory, and no request.
      if (!(await discard(folder.at(name)))) continue;
      found.push(parseRequest(name, text) ?? { name });
    }
    return found;
  } finally {
    await folder.close();
  }
}

function parseRequest(name: string, text: string | null): DoorRequest | null {
  const [, commit, ref, how] =
    /^([0-9a-f]{40}) (refs\/[^\s\p{Cc}]{1,200}) (plain|force)\n$/u.exec(text ?? '') ?? [];
  if (commit === undefined || ref === undefined) return null;
  return { name, commit, ref, force: how === 'force' };
}

/** Writes a file into the door, or does nothing when the agent has made something else of the place. */
export async function writeDoorFile(
  workTree: string,
  way: readonly string[],
  text: string,
): Promise<boolean> {
  const folder = await holdDirectory(workTree, ['.git', ...DOOR, ...way.slice(0, -1)]);
  if (folder === null) return false;
  try {
    await replaceHeldFile(folder, way.at(-1) ?? '', text);
    return true;
  } catch {
    return false; // A directory of that name, a full disk: the agent's own place, the agent's own loss.
  } finally {
    await folder.close();
  }
}

/** Deletes a file of the door; nothing else. */
export async function dropDoorFile(workTree: string, way: readonly string[]): Promise<void> {
  const folder = await holdDirectory(workTree, ['.git', ...DOOR, ...way.slice(0, -1)]);
  if (folder === null) return;
  try {
    await discard(folder.at(way.at(-1) ?? ''));
  } finally {
    await folder.close();
  }
}
