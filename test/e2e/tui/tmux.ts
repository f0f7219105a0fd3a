import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { CLI } from '../cli/cli.ts';
import type { Fixture } from '../cli/fixture.ts';
import { isRunning, listProcesses } from '../cli/processes.ts';
import { waitFor } from '../cli/wait.ts';

/** Whether there is a terminal to drive. */
export const hasTmux = spawnSync('tmux', ['-V'], { stdio: 'ignore' }).status === 0;

/** A real terminal with the built program in it, by tmux. */
export interface TestTerminal {
  /** What a person sees, line by line. */
  screen(): readonly string[];
  /** The same with the colours, as escape sequences. */
  coloured(): string;
  /** Names of keys as tmux has them: `Enter`, `Down`, `C-c`. */
  press(...keys: readonly string[]): void;
  /** Letter by letter, as they are. */
  type(text: string): void;
  resize(columns: number, rows: number): void;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the screen holds this; with what it holds. */
  until(wanted: string | RegExp | ((screen: string) => boolean), withinMs?: number): Promise<string>;
  /** Resolves with the exit code of the program. */
  ended(): Promise<number>;
  /** Closes the terminal, as somebody closes a window. */
  hangUp(): void;
  /** Whether the terminal is as programs find it: the normal screen, a cursor. */
  isRestored(): boolean;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `aiops` with these arguments in a terminal of its own, which is closed with the test. */
export function openTerminal(
  fixture: Fixture,
  args: readonly string[],
  options: TerminalOptions = {},
): TestTerminal {
  const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  return openShell(fixture, command, options);
}

/** The same with a whole command line, as a shell takes it. */
export function openShell(
  fixture: Fixture,
  command: string,
  { columns = 80, rows = 24, env = {} }: TerminalOptions = {},
): TestTerminal {
  const socket = `aiops-${randomBytes(4).toString('hex')}`;
  const environment = {
    ...fixture.env,
    TMUX_TMPDIR: fixture.directory,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    ...env,
  };
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', '-u', ...words], {
      cwd: fixture.directory,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  // What is left of the program is looked at in a terminal that is still there.
  const script = `${command}; printf '\\n[exit %s]\\n' $?; exec sleep 600`;
  tmux(
    'new-session',
    '-d',
    '-x',
    String(columns),
    '-y',
    String(rows),
    script,
    ';',
    'set',
    '-g',
    'status',
    'off',
  );
  onTestFinished(() => close(tmux));
  const ask = (format: string): string => tmux('display-message', '-p', format).trim();
  const screen = (): readonly string[] => tmux('capture-pane', '-p').replace(/\n$/, '').split('\n');
  return {
    screen,
    coloured: () => tmux('capture-pane', '-p', '-e'),
    press: (...keys) => void tmux('send-keys', ...keys),
    type: (text) => void tmux('send-keys', '-l', text),
    resize: (width, height) => void tmux('resize-window', '-x', String(width), '-y', String(height)),
    signal: (name) => process.kill(programIn(Number(ask('#{pane_pid}'))), name),
    async until(wanted, withinMs = 30_000) {
      const holds = (text: string): boolean =>
        typeof wanted === 'function'
          ? wanted(text)
          : typeof wanted === 'string'
            ? text.includes(wanted)
            : wanted.test(text);
      return waitFor(
        `the screen holds ${String(wanted)}`,
        () => {
          const text = screen().join('\n');
          return holds(text) ? text : null;
        },
        { withinMs, describe: () => screen().join('\n') },
      );
    },
    ended: () =>
      waitFor('the program ends', () => exitCodeIn(screen().join('\n')), {
        describe: () => screen().join('\n'),
      }),
    hangUp: () => void tmux('kill-server'),
    isRestored: () => ask('#{alternate_on} #{cursor_flag}') === '0 1',
  };
}

/** The only child of the shell. */
function programIn(shell: number): number {
  const found = listProcesses().find(({ parentPid }) => parentPid === shell);
  if (found === undefined) throw new Error('nothing runs in the terminal');
  return found.pid;
}

function exitCodeIn(screen: string): number | null {
  const [, code] = /\[exit (\d+)\]/.exec(screen) ?? [];
  return code === undefined ? null : Number(code);
}

/** The program and the server are gone before the fixture is looked at: a terminal that is closed ends what is in it. */
async function close(tmux: (...words: readonly string[]) => string): Promise<void> {
  let shell: number;
  try {
    shell = Number(tmux('display-message', '-p', '#{pane_pid}'));
  } catch {
    return; // It was closed in the test.
  }
  const inside = listProcesses().filter(({ pid, parentPid }) => pid === shell || parentPid === shell);
  const server = Number(tmux('display-message', '-p', '#{pid}'));
  tmux('kill-server');
  await waitFor('what was in the terminal ends', () =>
    [server, ...inside.map(({ pid }) => pid)].every((pid) => !isRunning(pid)),
  );
}
