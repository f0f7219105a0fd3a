import { resolve } from 'node:path';
import type { Command } from 'commander';
import { chooseWorkflowPath } from '../../config/read/workflow-path.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { createRescues, type Rescues } from '../../workspaces/rescue/manage-rescues.ts';
import { DEFAULT_RETENTION, type SizedRescue } from '../../workspaces/rescue/retention.ts';
import { examplesText } from '../examples.ts';
import type { CliIo } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { parseAge, parseSize } from '../parse-limits.ts';
import type { RegisterCommand } from '../register-command.ts';
import { onSignals } from '../signals.ts';
import { lookOf } from '../terminal/look.ts';
import { withProgress } from '../terminal/progress.ts';
import { type UtcFlag, withUtc } from '../utc-option.ts';
import { loadWorkspaceRoot } from '../workflow-file.ts';
import { formatBytes, formatContent, formatDetails, formatKept, formatRescues } from './format-rescue.ts';

interface PlaceFlags {
  readonly root?: string;
  readonly workflow?: string;
}

const DAY_MS = 86_400_000;

interface JsonFlag {
  readonly json?: boolean;
}

interface RestoreFlags extends JsonFlag {
  readonly to?: string;
}

interface PruneFlags extends JsonFlag {
  readonly olderThan?: number;
  readonly maxSize?: number;
  readonly yes?: boolean;
}

const RESCUE_HELP = `
Before a workspace is removed or rebuilt, its unpushed commits and uncommitted files are saved beside it.
Rescues are found through the workflow file in this directory, or with --workflow or --root.
A rescue is named by its id, a part of it, or the identifier of its issue.

Examples:
  aiops rescue
  aiops rescue show TASK-1
  aiops rescue restore TASK-1 --to ./saved
  aiops rescue prune --older-than 30d`;

/** `aiops rescue`: work that was saved before a workspace was removed or rebuilt. */
export const registerRescueCommand: RegisterCommand = (program, io, finish) => {
  const rescue = program
    .command('rescue')
    .alias('rescues')
    .description('list, inspect and restore work that was saved before a workspace went away')
    .addHelpText('after', RESCUE_HELP);
  const done = (): void => finish(0);
  addList(rescue, io, done);
  addShow(rescue, io, done);
  addRestore(rescue, io, done);
  addPrune(rescue, io, done);
};

function addList(rescue: Command, io: CliIo, done: () => void): void {
  withPlace(rescue.command('list', { isDefault: true }))
    .description('show what was saved, oldest first')
    .option('--json', 'print the manifests as JSON', false)
    .addHelpText('after', examplesText('aiops rescue list', 'aiops rescue list --json'))
    .action(async (flags: JsonFlag, command: Command) => {
      await list(await open(placeOf(command), io), flags.json === true, io);
      done();
    });
}

function addShow(rescue: Command, io: CliIo, done: () => void): void {
  withUtc(withPlace(rescue.command('show')))
    .description('show what one rescue holds')
    .argument('<rescue>', 'its id, a part of it, or the identifier of its issue')
    .option('--json', 'print its manifest as JSON', false)
    .addHelpText('after', examplesText('aiops rescue show TASK-1'))
    .action(async (name: string, flags: JsonFlag & UtcFlag, command: Command) => {
      const rescues = await open(placeOf(command), io);
      const found = await rescues.find(name);
      const directory = await rescues.directoryOf(found.manifest);
      io.stdout(
        flags.json === true
          ? jsonText({ ...toJson(found), kept_in: directory })
          : formatDetails(found, directory, lookOf(io, flags)),
      );
      done();
    });
}

function addRestore(rescue: Command, io: CliIo, done: () => void): void {
  withPlace(rescue.command('restore'))
    .description('rebuild branches, commits and uncommitted files in a new directory')
    .argument('<rescue>', 'its id, a part of it, or the identifier of its issue')
    .option('--to <directory>', 'where to (default: ./rescued-<issue>); must not exist yet')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      `${examplesText('aiops rescue restore TASK-1 --to ./saved')}\nThe rescue itself stays until it is pruned.`,
    )
    .action(async (name: string, flags: RestoreFlags, command: Command) => {
      await restore(await open(placeOf(command), io), name, flags, io);
      done();
    });
}

function addPrune(rescue: Command, io: CliIo, done: () => void): void {
  withPlace(rescue.command('prune'))
    .description('delete rescues that are old, or more than fits')
    .argument('[rescue...]', 'delete exactly these instead')
    .option(
      '--older-than <age>',
      `delete what is older, e.g. 30d (default: ${DEFAULT_RETENTION.maxAgeMs / DAY_MS}d)`,
      parseAge,
    )
    .option(
      '--max-size <size>',
      `then the oldest until the rest fits, e.g. 5G (default: ${formatBytes(DEFAULT_RETENTION.maxBytes)})`,
      parseSize,
    )
    .option('--yes', 'really delete; without it the command only says what would go')
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      examplesText('aiops rescue prune --older-than 30d', 'aiops rescue prune --max-size 1G --yes'),
    )
    .action(async (names: string[], flags: PruneFlags, command: Command) => {
      await prune(await open(placeOf(command), io), names, flags, io);
      done();
    });
}

function withPlace(command: Command): Command {
  return command.option('--root <directory>', 'the workspace root to look in');
}

function placeOf(command: Command): PlaceFlags {
  return command.optsWithGlobals<PlaceFlags>();
}

async function open({ root, workflow }: PlaceFlags, io: CliIo): Promise<Rescues> {
  const { environment } = io;
  if (root !== undefined) return createRescues({ root: resolve(io.cwd, root), environment });
  const path = await chooseWorkflowPath(workflow, environment, io.cwd);
  return createRescues({ root: await loadWorkspaceRoot({ file: path, environment }), environment });
}

async function list(rescues: Rescues, json: boolean, io: CliIo): Promise<void> {
  const found = await rescues.list();
  if (json) {
    io.stdout(jsonText(found.map(toJson)));
    return;
  }
  if (found.length === 0) {
    io.stdout('Nothing had to be rescued.\n');
    return;
  }
  io.stdout(`${formatRescues(found, lookOf(io))}\nRun \`aiops rescue restore <rescue>\` to get one back.\n`);
  const kept = found.map(({ manifest }) => manifest).filter(({ overLimit }) => overLimit);
  if (kept.length > 0) io.stdout(`\n${formatKept(kept)}`);
}

async function restore(rescues: Rescues, name: string, { to, json }: RestoreFlags, io: CliIo): Promise<void> {
  const { manifest } = await rescues.find(name);
  const stop = new AbortController();
  const forget = onSignals(
    () => stop.abort(new Error('stopped')),
    () => process.exit(EXIT.interrupted),
  );
  try {
    const target = resolve(io.cwd, to ?? `rescued-${manifest.key}`);
    const restored = await withProgress(io, `restoring to ${target}`, () =>
      rescues.restore(manifest.id, target, stop.signal),
    );
    const { path, branch, unpushedCommits, uncommittedFiles } = restored;
    const on = branch === null ? '' : ` on branch ${branch}`;
    const content = formatContent(unpushedCommits, uncommittedFiles);
    io.stdout(json === true ? jsonText(restored) : `Restored to ${path}${on}: ${content}.\n`);
  } finally {
    forget();
  }
}

async function prune(
  rescues: Rescues,
  names: readonly string[],
  flags: PruneFlags,
  io: CliIo,
): Promise<void> {
  const limits = {
    maxAgeMs: flags.olderThan ?? DEFAULT_RETENTION.maxAgeMs,
    maxBytes: flags.maxSize ?? DEFAULT_RETENTION.maxBytes,
  };
  const { pruned: chosen, kept } =
    names.length > 0
      ? { pruned: await Promise.all(names.map((name) => rescues.find(name))), kept: [] }
      : await rescues.expired(limits);
  if (flags.yes === true) for (const { manifest } of chosen) await rescues.remove(manifest);
  if (flags.json === true) {
    io.stdout(jsonText({ deleted: flags.yes === true, rescues: chosen.map(toJson), kept: kept.map(toJson) }));
    return;
  }
  if (kept.length > 0) io.stdout(`${formatKept(kept.map(({ manifest }) => manifest))}\n`);
  if (chosen.length === 0) {
    io.stdout('Nothing to delete.\n');
    return;
  }
  const total = formatBytes(chosen.reduce((sum, { bytes }) => sum + bytes, 0));
  const end =
    flags.yes === true ? `Deleted (${total}).` : `These would be deleted (${total}). Add --yes to do it.`;
  io.stdout(`${formatRescues(chosen, lookOf(io))}\n${end}\n`);
}

function toJson({ manifest, bytes }: SizedRescue): object {
  return { ...manifest, bytes };
}
