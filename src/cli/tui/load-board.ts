import type { Board, BoardOptions } from '../../tui/terminal/board.ts';

/** What makes Ink believe that nobody looks at its output. */
const BUILD_SERVER = ['CI', 'CONTINUOUS_INTEGRATION'] as const;

/**
 * The board, loaded when it is wanted: Ink and React are heavy. Ink reads at that moment whether this is a build server and
 * would show nothing there; here somebody asked for a board on a terminal.
 */
export async function loadBoard(): Promise<(options: BoardOptions) => Board> {
  const before = BUILD_SERVER.map((name) => [name, process.env[name]] as const);
  for (const name of BUILD_SERVER) process.env[name] = 'false';
  try {
    const [{ openBoard }, { openInkScreen }] = await Promise.all([
      import('../../tui/terminal/board.ts'),
      import('../../tui/terminal/ink-screen.ts'),
    ]);
    return (options) => openBoard(options, openInkScreen);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
