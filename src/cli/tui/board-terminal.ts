import { ReadStream, WriteStream } from 'node:tty';
import { systemClock } from '../../domain/clock.ts';
import type { BoardOptions } from '../../tui/terminal/board.ts';
import type { Terminal } from '../../tui/terminal/screen-mode.ts';
import type { CliIo } from '../io.ts';
import { wantsColor } from '../terminal/tones.ts';
import { userName } from '../user-name.ts';

/** The terminal a board can be shown on; null when there is none that can move its cursor. */
export function boardTerminal({
  terminal,
  environment,
}: Pick<CliIo, 'terminal' | 'environment'>): Terminal | null {
  const { input, output } = terminal ?? {};
  if (!(input instanceof ReadStream) || !(output instanceof WriteStream)) return null;
  return environment['TERM'] === 'dumb' ? null : { input, output };
}

/** What every board has, wherever its worker is. */
export function commonOptions({
  environment,
}: Pick<CliIo, 'environment'>): Pick<BoardOptions, 'clock' | 'color' | 'by'> {
  return {
    clock: systemClock,
    color: wantsColor(environment, true),
    by: userName(environment) ?? 'tui',
  };
}
