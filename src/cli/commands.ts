import type { RegisterCommand } from './register-command.ts';

/** Each command's code is loaded only when it is asked for, or for what is about all of them. */
const COMMANDS: Readonly<Record<string, () => Promise<RegisterCommand | RegisterCommand[]>>> = {
  init: async () => (await import('./init/command.ts')).registerInitCommand,
  worker: async () => (await import('./worker/command.ts')).registerWorkerCommand,
  issues: async () => (await import('./issues/command.ts')).registerIssuesCommand,
  explain: async () => (await import('./explain/command.ts')).registerExplainCommand,
  status: async () => (await import('./status/command.ts')).registerStatusCommand,
  tui: async () => (await import('./tui/command.ts')).registerTuiCommand,
  logs: async () => (await import('./logs/command.ts')).registerLogsCommand,
  runs: async () => (await import('./runs/command.ts')).registerRunsCommand,
  history: async () => (await import('./history/command.ts')).registerHistoryCommand,
  workers: async () => (await import('./workers/command.ts')).registerWorkersCommand,
  open: async () => (await import('./open/command.ts')).registerOpenCommand,
  'operator actions': async () => [...(await operatorActions()).values()],
  issue: async () => (await import('./issue/command.ts')).registerIssueCommand,
  rescue: async () => (await import('./rescue/command.ts')).registerRescueCommand,
  config: async () => (await import('./config/command.ts')).registerConfigCommand,
  doctor: async () => (await import('./doctor/command.ts')).registerDoctorCommand,
  labels: async () => (await import('./labels/command.ts')).registerLabelsCommand,
  completion: async () => (await import('./completion/command.ts')).registerCompletionCommand,
  demo: async () => (await import('./demo/command.ts')).registerDemoCommand,
};

async function operatorActions(): Promise<ReadonlyMap<string, RegisterCommand>> {
  return (await import('./operate/command.ts')).OPERATE_COMMANDS;
}

/** These live long: code that zod compiles for its checks pays for itself there, and nowhere else. */
const LONG_LIVED: ReadonlySet<string> = new Set(['worker', 'tui', 'demo']);

/** Whether its first word is a command with a module of its own. */
export function isOneCommand(args: readonly string[]): boolean {
  return Object.hasOwn(COMMANDS, commandIn(args));
}

/** What is needed for this command line: one command, or all for help and for a word that is none. */
export async function loadCommands(args: readonly string[]): Promise<RegisterCommand[]> {
  const first = commandIn(args);
  if (!LONG_LIVED.has(first)) await import('../contract/no-eval.ts');
  const wanted = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  if (wanted !== undefined) return [await wanted()].flat();
  if (args.length === 1 && (first === '--version' || first === '-V')) return [];
  const action = (await operatorActions()).get(first);
  return action === undefined ? loadAllCommands() : [action];
}

/** In the order of the help. */
export async function loadAllCommands(): Promise<RegisterCommand[]> {
  return (await Promise.all(Object.values(COMMANDS).map((load) => load()))).flat();
}

/** The first word that is neither an option every command takes nor its value. */
export function commandIn(args: readonly string[]): string {
  const [first = '', value] = args;
  if (value !== undefined && (first === '--workflow' || first === '-w')) return commandIn(args.slice(2));
  return first.startsWith('--workflow=') ? commandIn(args.slice(1)) : first;
}
