import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { Secret } from '../../config/resolve/secret.ts';
import { listChecks } from '../../doctor/list-checks.ts';
import { findingsJson, formatFindings } from '../../doctor/run/report.ts';
import { runChecks, worstOf } from '../../doctor/run/run-checks.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import { createRedactor, type Redactor } from '../../observability/redact.ts';
import { AGENT_ENV_DENY_LIST } from '../../process/children/environment.ts';
import { checkFile } from '../config/check.ts';
import { examplesText } from '../examples.ts';
import type { CliIo } from '../io.ts';
import { readApiTokens } from '../record/api-tokens.ts';
import type { RegisterCommand } from '../register-command.ts';
import { wantsColor } from '../terminal/tones.ts';
import { readVersion } from '../version.ts';
import { namedWorkflow } from '../workflow-option.ts';
import { doctorEffects } from './effects.ts';
import { fitReport } from './fit-report.ts';
import { subjectOf } from './subject.ts';

export interface DoctorFlags {
  readonly json: boolean;
  readonly offline: boolean;
}

export type DoctorIo = Pick<
  CliIo,
  'stdout' | 'stderr' | 'environment' | 'cwd' | 'interactive' | 'outputColumns'
>;

const CHECK_MS = 30_000;

export const registerDoctorCommand: RegisterCommand<DoctorIo> = (program, io, finish) => {
  program
    .command('doctor')
    .description(
      'check this machine and a workflow before a worker runs it, and say how to fix what is wrong',
    )
    .argument(
      '[workflow]',
      'the workflow file or its folder (default: $AIOPS_WORKFLOW_PATH, then ./WORKFLOW.md)',
    )
    .option('--offline', 'ask no tracker and no remote repository', false)
    .option('--json', 'print the findings as JSON', false)
    .addHelpText(
      'after',
      `${examplesText('aiops doctor', 'aiops doctor --offline --json')}` +
        '\nEverything is looked at and nothing is changed; it may run beside a worker.' +
        '\nExit code: 0 when nothing failed (warnings may remain), 1 when a check failed.',
    )
    .action(async (workflow: string | undefined, flags: DoctorFlags, command: Command) =>
      finish(await runDoctor(namedWorkflow(command, workflow), flags, io)),
    );
};

/** Everything that `aiops doctor` does, for commands that end with it. Resolves to the exit code. */
export async function runDoctor(path: string | undefined, flags: DoctorFlags, io: DoctorIo): Promise<number> {
  const workflow = await checkFile(path, io);
  const { file, config } = workflow;
  const redactor = await knownSecrets(config, io);
  const checks = listChecks(subjectOf(workflow, flags.offline), doctorEffects(config, io));
  const findings = await runChecks(checks, {
    timeoutMs: CHECK_MS,
    redact: (text) => redactor.redact(text),
    onProgress: io.interactive
      ? (done, open) => io.stderr(progressLine(done, checks.length, open))
      : () => {},
  });
  if (flags.json) io.stdout(findingsJson(file, readVersion(), findings));
  else {
    const columns = io.outputColumns?.() ?? null;
    io.stdout(fitReport(formatFindings(findings), columns, wantsColor(io.environment, columns !== null)));
  }
  return worstOf(findings) === 'fail' ? EXIT.failed : EXIT.ok;
}

/** One line that is written over; it is gone when nothing is left to do. */
function progressLine(done: number, all: number, open: readonly string[]): string {
  const line = open.length === 0 ? '' : `checking ${done}/${all}: ${open.join(', ').slice(0, 60)}`;
  return `\r\u001b[K${line}`;
}

/** Whatever a program or server answers with, none of these is repeated. */
async function knownSecrets(config: Config | null, { environment, cwd }: DoctorIo): Promise<Redactor> {
  const tokens = await readApiTokens(environment, cwd).catch(() => ({ full: null, readOnly: null }));
  const values = [
    ...secretsIn(config),
    ...AGENT_ENV_DENY_LIST.map((name) => environment[name]),
    tokens.full,
    tokens.readOnly,
  ];
  return createRedactor({ secrets: values.filter(isSecret) });
}

/** The name of a variable where a value should be is no secret: it says where to look. */
function isSecret(value: unknown): value is string {
  return typeof value === 'string' && !/^\$\{?\w+\}?$/.test(value.trim());
}

function secretsIn(value: unknown): readonly string[] {
  if (value instanceof Secret) return [value.reveal()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : [];
}
