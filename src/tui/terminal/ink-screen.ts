import type { WriteStream } from 'node:tty';
import { render, Transform, useInput } from 'ink';
import { createElement, type ReactElement } from 'react';
import { type Key, keysOf } from '../screen/keys.ts';
import { changedLines } from './line-writer.ts';
import type { Terminal } from './screen-mode.ts';

/** The lines of the screen on a terminal, by Ink. */
export interface InkScreen {
  /** Shows these lines; only those that changed are written. */
  draw(lines: readonly string[]): void;
  /** The screen was cleared: the next lines are all written. */
  forget(): void;
  close(): void;
  /** Rejects when Ink could not go on. */
  readonly closed: Promise<unknown>;
}

export function openInkScreen(terminal: Terminal, onKey: (key: Key) => void): InkScreen {
  let shown: readonly string[] = [];
  const frame = (lines: readonly string[]): ReactElement => createElement(Frame, { lines, onKey });
  const ink = render(frame(['']), {
    stdin: terminal.input,
    stdout: inPlace(terminal.output, (text) => {
      const lines = text.split('\n');
      const change = changedLines(shown, lines);
      shown = lines;
      return change;
    }),
    // Whole frames at once, as they are drawn; which lines of them go out is decided here.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  });
  return {
    draw: (lines) => ink.rerender(frame(lines)),
    forget() {
      shown = [];
    },
    close: () => ink.unmount(),
    closed: ink.waitUntilExit(),
  };
}

/** The terminal, with each frame that is written to it replaced by what has changed. */
function inPlace(output: WriteStream, change: (frame: string) => string): WriteStream {
  const write = (text: string, done?: () => void): boolean =>
    done === undefined ? output.write(change(text)) : output.write(text, done);
  return new Proxy(output, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

interface FrameProps {
  readonly lines: readonly string[];
  onKey(key: Key): void;
}

/**
 * One text for the whole frame, whose lines are put in when it is written. Ink remembers the measures of every text it has
 * laid out, for ever: given the lines themselves it would grow with each new one.
 */
function Frame({ lines, onKey }: FrameProps): ReactElement {
  useInput((input, key) => {
    for (const pressed of keysOf(input, key)) onKey(pressed);
  });
  const blank = lines.map(() => '.').join('\n');
  return createElement(
    Transform,
    { transform: (_blank: string, index: number) => lines[index] ?? '' },
    blank,
  );
}
