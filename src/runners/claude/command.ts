import { wordsOf } from '../../config/schema/shell-words.ts';
import type { ClaudeSettings } from './settings.ts';

/** True for a command that prints its answer as text and ends: it is run once for each turn. */
export function isTextCommand(command: string): boolean {
  const words = wordsOf(command);
  const prints = words.some((word) => word === '-p' || word === '--print');
  return prints && !words.some((word) => word.endsWith('stream-json'));
}

/** Work that Claude would begin by itself after its turn, where nobody supervises it. */
const BEYOND_THE_TURN = ['CronCreate', 'ScheduleWakeup', 'Monitor', 'EnterWorktree'];
const NO_BACKGROUND = JSON.stringify({ env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' } });

export type SessionChoice = { readonly resume: string } | { readonly create: string };

/** What is added to `claude.command`. An option that the command sets itself is left to it. */
export function sessionArguments(claude: ClaudeSettings, session: SessionChoice): readonly string[] {
  const written = writtenOptions(claude.command);
  const option = (names: readonly string[], values: readonly (string | number | null)[]): string[] => {
    const [name = ''] = names;
    const given = values.filter((value) => value !== null).map(String);
    return names.some((known) => written.has(known)) || given.length < values.length ? [] : [name, ...given];
  };
  const list = (names: readonly string[], values: readonly string[]): string[] =>
    values.length === 0 ? [] : option(names, values);
  return [
    ...option(['--print', '-p'], []),
    ...option(['--output-format'], ['stream-json']),
    ...option(['--input-format'], ['stream-json']),
    ...option(['--verbose'], []),
    ...option(['--include-partial-messages'], []),
    ...option(['--settings'], [NO_BACKGROUND]),
    ...option(['--permission-prompt-tool'], ['stdio']),
    ...option(['--permission-mode', '--dangerously-skip-permissions'], [claude.permissionMode]),
    ...option(['--model'], [claude.model]),
    ...option(['--max-turns'], [claude.maxTurns]),
    ...option(['--max-budget-usd'], [claude.maxBudgetUsd]),
    ...list(['--allowedTools', '--allowed-tools'], claude.allowedTools),
    ...list(['--disallowedTools', '--disallowed-tools'], [...claude.disallowedTools, ...BEYOND_THE_TURN]),
    ...('resume' in session ? ['--resume', session.resume] : ['--session-id', session.create]),
  ];
}

/** The options that a command sets itself, without their values. */
function writtenOptions(command: string): ReadonlySet<string> {
  return new Set(wordsOf(command).map((word) => word.replace(/=.*$/s, '')));
}
