import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import type { LogFields, Logger } from '../../../src/observability/logger.ts';
import type { Journal } from '../../../src/store/journal.ts';
import { type JournalOptions, openJournal } from '../../../src/store/sqlite/sqlite-journal.ts';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

export interface Fixture {
  /** A temporary folder of the test's own. */
  folder: string;
  /** Where the journal under test is. */
  path: string;
  log: LogLine[];
  logger: Logger;
  /** Opens a journal that the test's end closes. */
  open(options?: Partial<JournalOptions>): Promise<Journal>;
}

export function journalFixture(): Fixture {
  let opened: Journal[] = [];
  const fixture: Fixture = {
    folder: '',
    path: '',
    log: [],
    logger: recordingLogger([]),
    async open(options = {}) {
      const journal = await openJournal({ path: fixture.path, logger: fixture.logger, ...options });
      opened.push(journal);
      return journal;
    },
  };
  beforeEach(async () => {
    fixture.folder = await mkdtemp(join(tmpdir(), 'aiops-journal-'));
    fixture.path = join(fixture.folder, '.aiops', 'journal.sqlite');
    fixture.log = [];
    fixture.logger = recordingLogger(fixture.log);
  });
  afterEach(async () => {
    for (const journal of opened) await journal.close();
    opened = [];
    await rm(fixture.folder, { recursive: true, force: true });
  });
  return fixture;
}

export function recordingLogger(lines: LogLine[]): Logger {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void =>
      void lines.push({ level, message, fields });
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: () => logger,
  };
  return logger;
}

export async function waitUntil(what: string, condition: () => boolean, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await delay(5);
  }
}
