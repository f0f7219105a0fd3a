import type { Logger } from '../observability/logger.ts';

const MOST_REMEMBERED = 1000;

/** Warns about a malformed record once per version of it, not at every poll. */
export function createComplaints(logger: Logger, message: string): (id: string, record: unknown) => void {
  const told = new Map<string, string>();
  return (id, record) => {
    const version = JSON.stringify(record)?.slice(0, 2000) ?? '';
    if (told.get(id) === version) return;
    if (told.size >= MOST_REMEMBERED) told.clear();
    told.set(id, version);
    logger.warn(message, { issue_id: id });
  };
}
