import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { onTestFinished } from 'vitest';
import type { LogFields, Logger } from '../../../src/observability/logger.ts';
import { createLocalTracker, type LocalTrackerOptions } from '../../../src/trackers/local/adapter.ts';
import type { FrontMatter } from '../../../src/trackers/local/schema.ts';
import type { Tracker } from '../../../src/trackers/tracker.ts';

export const never = new AbortController().signal;

/** Of a new issue. */
export const FIELDS: FrontMatter = {
  title: 'New',
  state: 'Todo',
  priority: null,
  labels: [],
  blocked_by: [],
  assignee: null,
  author: null,
  branch: null,
  url: null,
  created_at: null,
  updated_at: null,
};

/** A folder that goes away with the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'local-tracker-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface LoggedWarning {
  readonly message: string;
  readonly fields: LogFields;
}

export function collectWarnings(): { readonly logger: Logger; readonly warnings: LoggedWarning[] } {
  const warnings: LoggedWarning[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn: (message, fields = {}) => warnings.push({ message, fields }),
    error: (message, fields = {}) => warnings.push({ message, fields }),
    with: () => logger,
  };
  return { logger, warnings };
}

export function openTracker(path: string, options: Partial<LocalTrackerOptions> = {}): Tracker {
  return createLocalTracker({
    path,
    activeStates: ['Todo', 'In Progress'],
    terminalStates: ['Done', 'Cancelled'],
    logger: collectWarnings().logger,
    ...options,
  });
}

export function issueText(state: string, more = '', body = ''): string {
  return `---\ntitle: An issue\nstate: ${state}\n${more}---\n${body}`;
}

export async function writeIssue(folder: string, id: string, text = issueText('Todo')): Promise<string> {
  const path = join(folder, `${id}.md`);
  await writeFile(path, text);
  return path;
}

/** Makes a plain program out of a module, dependencies included. */
export async function bundleProgram(source: URL, folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(source),
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  });
  return join(folder, 'program.mjs');
}

/** Runs a program to its end; rejects with what it printed when it fails. */
export function runProgram(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}: ${errors}`))));
  });
}
