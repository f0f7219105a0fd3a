import { Command, CommanderError } from 'commander';
import type { CliIo } from './io.ts';
import type { RegisterCommand } from './register-command.ts';
import { reportError } from './report-error.ts';
import { readVersion } from './version.ts';
import { addWorkflowOption } from './workflow-option.ts';

/** Each command's code is loaded only when it is asked for, or for the help that lists them all. */
const COMMANDS: Readonly<Record<string, () => Promise<RegisterCommand | RegisterCommand[]>>> = {
  init: async () => (await import('./init/command.ts')).registerInitCommand,
  worker: async () => (await import('./worker/command.ts')).registerWorkerCommand,
  issue: async () => (await import('./issue/command.ts')).registerIssueCommand,
  issues: async () => (await import('./issues/command.ts')).registerIssuesCommand,
  labels: async () => (await import('./labels/command.ts')).registerLabelsCommand,
  rescue: async () => (await import('./rescue/command.ts')).registerRescueCommand,
  config: async () => (await import('./config/command.ts')).registerConfigCommand,
  doctor: async () => (await import('./doctor/command.ts')).registerDoctorCommand,
  history: async () => (await import('./history/command.ts')).registerHistoryCommand,
  runs: async () => (await import('./runs/command.ts')).registerRunsCommand,
  explain: async () => (await import('./explain/command.ts')).registerExplainCommand,
  workers: async () => (await import('./workers/command.ts')).registerWorkersCommand,
  status: async () => (await import('./status/command.ts')).registerStatusCommand,
  logs: async () => (await import('./logs/command.ts')).registerLogsCommand,
  'operator actions': async () => [...(await operatorActions()).values()],
  open: async () => (await import('./open/command.ts')).registerOpenCommand,
  demo: async () => (await import('./demo/command.ts')).registerDemoCommand,
};

async function operatorActions(): Promise<ReadonlyMap<string, RegisterCommand>> {
  return (await import('./operate/command.ts')).OPERATE_COMMANDS;
}

/** Parses the command line, runs the command and gives the process's exit code. Never throws. */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  let exitCode = 0;
  const program = new Command('aiops')
    .description('Turns ready issues into branches: watches a tracker and runs a coding agent on each issue.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout,
      writeErr: io.stderr,
      outputError: (text, write) => write(usageErrorLine(text, program, commandIn(args))),
    });
  addWorkflowOption(program);
  try {
    for (const register of await loadCommands(args)) {
      register(program, io, (code) => {
        exitCode = code;
      });
    }
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error, io.stderr);
  }
}

/** Commander's own words, in the one line that every failure has here. */
function usageErrorLine(text: string, program: Command, command: string): string {
  const message = text
    .replace(/^error: /, '')
    .trimEnd()
    .replaceAll('\n', ' ');
  const end = /[.?)]$/.test(message) ? '' : '.';
  const help = program.commands.some((known) => known.name() === command)
    ? `Run \`aiops ${command} --help\` for what it takes.`
    : 'Run `aiops --help` for the commands.';
  return `aiops: ${message}${end} ${help}\n`;
}

/** The first word that is neither an option every command takes nor its value. */
function commandIn(args: readonly string[]): string {
  const [first = '', value] = args;
  if (value !== undefined && (first === '--workflow' || first === '-w')) return commandIn(args.slice(2));
  return first.startsWith('--workflow=') ? commandIn(args.slice(1)) : first;
}

async function loadCommands(args: readonly string[]): Promise<RegisterCommand[]> {
  const first = commandIn(args);
  const wanted = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  if (wanted !== undefined) return [await wanted()].flat();
  if (args.length === 1 && (first === '--version' || first === '-V')) return [];
  const action = (await operatorActions()).get(first);
  if (action !== undefined) return [action];
  return (await Promise.all(Object.values(COMMANDS).map((load) => load()))).flat();
}
