import { isAlive, readIdentity } from '../../process/table/process-identity.ts';
import type { OwnershipRecord } from './ownership-record.ts';

/** Names this process in an ownership record. */
export async function ownCreator(): Promise<string> {
  const identity = await readIdentity(process.pid);
  return `${process.pid} ${identity?.startTime ?? ''}`;
}

/**
 * True when the creation of a workspace was begun and never confirmed, by `own`, which asks (whose attempt has ended, or
 * nobody would be preparing again) or by one that is dead.
 */
export async function creationWasCut(record: OwnershipRecord, own: string): Promise<boolean> {
  if (record.creator === null) return false;
  if (record.creator === own) return true;
  const space = record.creator.indexOf(' ');
  const identity = {
    pid: Number(record.creator.slice(0, space)),
    startTime: record.creator.slice(space + 1),
  };
  return !(await isAlive(identity));
}
