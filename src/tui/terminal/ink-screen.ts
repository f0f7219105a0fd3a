import type { WriteStream } from 'node:tty';
import { render, Text, useInput } from 'ink';
import { createElement, type ReactElement } from 'react';
import { type InkKey, type Key, KeyReader } from '../screen/keys.ts';
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
  let wanted: readonly string[] = [];
  let shown: readonly string[] = [];
  let frames = 0;
  let closing = false;
  const reader = new KeyReader();
  const onInput = (input: string, key: InkKey): void => {
    for (const pressed of reader.read(input, key)) onKey(pressed);
  };
  const frame = (): ReactElement => createElement(Frame, { number: frames, onInput });
  const ink = render(frame(), {
    stdin: terminal.input,
    stdout: inPlace(terminal.output, () => {
      // The empty frame at the end: the last one with something in it may stay where it is.
      if (closing) return '';
      const change = changedLines(shown, wanted);
      shown = wanted;
      return change;
    }),
    // Each frame is written when it is drawn, not when Ink thinks it is time; what of it goes out is decided here.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  });
  return {
    draw(lines) {
      wanted = lines;
      frames += 1;
      ink.rerender(frame());
    },
    forget() {
      shown = [];
    },
    close() {
      closing = true;
      ink.unmount();
    },
    closed: ink.waitUntilExit(),
  };
}

/** The terminal, with each frame that Ink writes to it replaced by what has changed. */
function inPlace(output: WriteStream, change: () => string): WriteStream {
  const write = (text: string, done?: () => void): boolean =>
    done === undefined ? output.write(change()) : output.write(text, done);
  return new Proxy(output, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

interface FrameProps {
  readonly number: number;
  onInput(input: string, key: InkKey): void;
}

/**
 * What Ink sees of a frame: that there is a new one. The lines themselves are final when they come here. Ink would cut each into
 * cells and put it together again, for every frame, and remember the measures of every text it has laid out, for ever.
 */
function Frame({ number, onInput }: FrameProps): ReactElement {
  useInput(onInput);
  return createElement(Text, null, String(number % 10));
}
