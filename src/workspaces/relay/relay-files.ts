import { opendir } from 'node:fs/promises';
import { openDirectoryHandle } from '../files/directory-handle.ts';
import { discard, readFileIn, replaceFileIn } from '../files/directory-handle-files.ts';
import { RELAY } from './relay-hook.ts';

const MAX_REQUEST_BYTES = 512;
/** Taken in one go; the others have their turn after these. */
const MAX_REQUESTS = 64;
/** Entries looked at in one go; an agent that leaves more hides its own requests. */
const MAX_ENTRIES = 10_000;
const REQUEST_NAME = /^[A-Za-z0-9]{6,32}$/;

/** What a request says, checked for its form only. */
export interface RelayRequest {
  readonly name: string;
  readonly commit: string;
  readonly ref: string;
  readonly force: boolean;
}

/** Reads and deletes the requests that wait in a workspace's relay. Nothing in it is trusted, followed or waited for. */
export async function takeRequests(workTree: string): Promise<(RelayRequest | { readonly name: string })[]> {
  const folder = await openDirectoryHandle(workTree, ['.git', ...RELAY, 'requests']);
  if (folder === null) return [];
  try {
    const found: (RelayRequest | { name: string })[] = [];
    let looked = 0;
    for await (const { name } of await opendir(folder.at(''))) {
      looked += 1;
      if (looked > MAX_ENTRIES || found.length === MAX_REQUESTS) break;
      if (!REQUEST_NAME.test(name)) continue;
      const text = await readFileIn(folder, name, MAX_REQUEST_BYTES);
      // What cannot be deleted is a directory, and no request.
      if (!(await discard(folder.at(name)))) continue;
      found.push(parseRequest(name, text) ?? { name });
    }
    return found;
  } finally {
    await folder.close();
  }
}

function parseRequest(name: string, text: string | null): RelayRequest | null {
  const [, commit, ref, how] =
    /^([0-9a-f]{40}) (refs\/[^\s\p{Cc}]{1,200}) (plain|force)\n$/u.exec(text ?? '') ?? [];
  if (commit === undefined || ref === undefined) return null;
  return { name, commit, ref, force: how === 'force' };
}

/** Writes a file into the relay, or does nothing when the agent has made something else of the place. */
export async function writeRelayFile(
  workTree: string,
  way: readonly string[],
  text: string,
): Promise<boolean> {
  const folder = await openDirectoryHandle(workTree, ['.git', ...RELAY, ...way.slice(0, -1)]);
  if (folder === null) return false;
  try {
    await replaceFileIn(folder, way.at(-1) ?? '', text);
    return true;
  } catch {
    return false; // A directory of that name, a full disk: the agent's own place, the agent's own loss.
  } finally {
    await folder.close();
  }
}

/** Deletes a file of the relay; nothing else. */
export async function dropRelayFile(workTree: string, way: readonly string[]): Promise<void> {
  const folder = await openDirectoryHandle(workTree, ['.git', ...RELAY, ...way.slice(0, -1)]);
  if (folder === null) return;
  try {
    await discard(folder.at(way.at(-1) ?? ''));
  } finally {
    await folder.close();
  }
}
