import { type Command, Option } from 'commander';
import { AppError } from '../../errors/app-error.ts';
import { runDoctor } from '../doctor/command.ts';
import type { CliIo } from '../io.ts';

/** `worker --doctor` and its options, as the Go worker has them; `aiops doctor` is the same with a name of its own. */
export interface GoDoctorFlags {
  readonly doctor: boolean;
  readonly json: boolean;
  readonly mode?: 'mock' | 'real';
  readonly deploy?: string;
  readonly dashboardUrl?: string;
  readonly goTestDir?: string;
  readonly githubIssue?: string;
  readonly githubRepo?: string;
}

/** Options that asked for something this program does not need or does elsewhere. */
const WITHOUT_EFFECT: readonly (readonly [keyof GoDoctorFlags, string, string])[] = [
  ['deploy', '--deploy <name>', 'nothing here depends on how the worker is installed'],
  ['goTestDir', '--go-test-dir <folder>', 'this worker is not written in Go'],
  ['githubIssue', '--github-issue <number>', 'pushing is always tried, with the way that agents have'],
  ['githubRepo', '--github-repo <name>', 'the repository is that of the workflow'],
  ['dashboardUrl', '--dashboard-url <url>', 'ask a running worker with `aiops status --url`'],
];

export function withGoDoctor(command: Command): Command {
  command
    .option('--doctor', 'check the set-up instead, as `aiops doctor` does', false)
    .addOption(
      new Option('--mode <name>', 'with --doctor: mock asks no tracker and no remote').choices([
        'mock',
        'real',
      ]),
    );
  for (const [, flags, why] of WITHOUT_EFFECT)
    command.addOption(new Option(flags, `of the Go worker; it has no effect: ${why}`).hideHelp());
  return command;
}

/** What was given for the doctor although it was not asked for would do nothing. */
export function refuseDoctorFlags(flags: GoDoctorFlags): void {
  if (flags.doctor) return;
  const stray = [
    ['mode', '--mode'] as const,
    ...WITHOUT_EFFECT.map(([key, name]) => [key, name.split(' ')[0]]),
  ].find(([key]) => flags[key as keyof GoDoctorFlags] !== undefined);
  if (stray === undefined) return;
  throw new AppError('usage', `${stray[1]} goes with --doctor`, { hint: 'Add --doctor, or leave it out.' });
}

/** Resolves to the exit code. */
export async function runGoDoctor(
  path: string | undefined,
  flags: GoDoctorFlags,
  io: CliIo,
): Promise<number> {
  for (const [key, name, why] of WITHOUT_EFFECT)
    if (flags[key] !== undefined) io.stderr(`aiops: warning: ${name.split(' ')[0]} has no effect: ${why}.\n`);
  return runDoctor(path, { json: flags.json, offline: flags.mode === 'mock' }, io);
}
