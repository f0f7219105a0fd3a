import { filterSections, type Section, sectionsOf } from '../board/rows.ts';
import { addSample, type Throughput, tokensPerSecond } from '../board/throughput.ts';
import { Feed } from '../data/feed.ts';
import { IssueReader } from '../data/issue-reader.ts';
import type { Clock, Place } from '../data/place.ts';
import { messageOf, sendAction } from '../data/send-action.ts';
import type { Key } from '../screen/keys.ts';
import { screenLines } from '../screen/screen.ts';
import { rowsOf } from '../screen/selection.ts';
import { type ActionRequest, type Effect, FIRST_UI, type Ui } from '../screen/ui.ts';
import { type Scene, update } from '../screen/update.ts';
import { paintLine, type Tone } from '../text/paint.ts';
import type { Size, View } from '../view.ts';
import type { InkScreen, openInkScreen } from './ink-screen.ts';
import { ScreenMode, type Terminal } from './screen-mode.ts';

export interface BoardOptions {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Finds the worker; see `FeedOptions`. */
  locate(): Promise<Place>;
  /** Between two looks at the clock, and between questions while there is no stream. */
  readonly refreshMs: number;
  /** Shortest time between two frames. */
  readonly renderIntervalMs: number;
  readonly color: boolean;
  readonly alternateScreen: boolean;
  /** Who acts, for the record. */
  readonly by: string;
  /** What quitting means, for the help. */
  readonly quits: string;
  /** Opens an address in a browser, null for the page of the worker, and says what came of it. */
  browse(url: string | null): Promise<string>;
  /** Stops this program as Ctrl-Z does; left out where that would stop more than the board. */
  suspend?(): void;
  /** What a worker in this terminal has to say; asked at each frame. */
  log?(): readonly string[];
  /** Something to say in the last lines; asked at each frame. */
  notice?(): string | null;
}

export type BoardEnd = 'key' | 'interrupt' | 'closed';

/** A board on a terminal. */
export interface Board {
  /** Resolves when somebody quits or it is closed; rejects when it could not go on. The terminal is then as it was. */
  readonly ended: Promise<BoardEnd>;
  close(): void;
  /** Shows what has changed outside: the log, the notice. */
  refresh(): void;
  /** Gives the terminal back and stops the program, where it may be stopped. */
  suspend(): void;
  /** The program goes on after a stop: somebody else had the terminal meanwhile. */
  wake(): void;
}

/** How long a resize is waited out. */
const SETTLE_MS = 30;
/** A program that nothing stopped in this time cannot be stopped: no shell is there to wake it. */
const STOPS_WITHIN_MS = 500;

export function openBoard(options: BoardOptions, openScreen: typeof openInkScreen): Board {
  return new BoardOnTerminal(options, openScreen);
}

class BoardOnTerminal implements Board {
  readonly ended: Promise<BoardEnd>;
  readonly #options: BoardOptions;
  readonly #mode: ScreenMode;
  readonly #ink: InkScreen;
  readonly #feed: Feed;
  readonly #issue: IssueReader;
  readonly #onResize = (): void => this.#resize();
  #resolve: (end: BoardEnd) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #ui: Ui = FIRST_UI;
  #throughput: Throughput = [];
  #sections: { readonly of: unknown; readonly sections: readonly Section[] } = { of: null, sections: [] };
  #drawnAt = Number.NEGATIVE_INFINITY;
  #cancelDraw: (() => void) | null = null;
  #cancelTick = (): void => {};
  #closed = false;
  #asleep = false;

  constructor(options: BoardOptions, openScreen: typeof openInkScreen) {
    this.#options = options;
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#mode = new ScreenMode(options.terminal, options.alternateScreen);
    const onChange = (): void => this.#changed();
    this.#feed = new Feed({
      locate: () => options.locate(),
      intervalMs: options.refreshMs,
      clock: options.clock,
      onChange,
      onRun: (message) => this.#issue.hear(message),
    });
    this.#issue = new IssueReader({
      place: () => this.#feed.place,
      wantRun: (run) => this.#feed.wantRun(run),
      onChange: () => this.refresh(),
    });
    this.#mode.enter();
    this.#ink = openScreen(options.terminal, (key) => this.#press(key));
    this.#ink.closed.then(
      () => this.close(),
      (error: unknown) => this.#fail(error),
    );
    options.terminal.output.on('resize', this.#onResize);
    this.#feed.start();
    this.#tick();
    this.refresh();
  }

  close(how: BoardEnd = 'closed'): void {
    if (this.#end()) this.#resolve(how);
  }

  suspend(): void {
    const { suspend, clock } = this.#options;
    if (this.#closed || this.#asleep) return;
    if (suspend === undefined) {
      this.#say('the worker runs in this terminal: it is not suspended', 'attention');
      return;
    }
    this.#asleep = true;
    this.#mode.leave();
    suspend();
    clock.setTimer(STOPS_WITHIN_MS, () => {
      if (this.#asleep) this.wake();
    });
  }

  wake(): void {
    if (this.#closed) return;
    this.#asleep = false;
    this.#mode.enterAgain();
    this.#ink.forget();
    this.#cancelDraw?.();
    this.#draw();
  }

  refresh(): void {
    if (this.#cancelDraw !== null || this.#closed) return;
    const { clock, renderIntervalMs } = this.#options;
    const wait = Math.max(0, this.#drawnAt + renderIntervalMs - clock.now());
    this.#cancelDraw = clock.setTimer(wait, () => this.#draw());
  }

  #fail(error: unknown): void {
    if (this.#end()) this.#reject(error);
  }

  /** False when that was done before. */
  #end(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#feed.stop();
    this.#issue.open(null);
    this.#cancelTick();
    this.#cancelDraw?.();
    this.#options.terminal.output.off('resize', this.#onResize);
    this.#ink.close();
    this.#mode.leave();
    return true;
  }

  #tick(): void {
    const { clock, refreshMs } = this.#options;
    this.#cancelTick = clock.setTimer(refreshMs, () => {
      this.#sample();
      this.#issue.tick(this.#feed.connection.kind === 'live', this.#ui.open?.tab === 'diff');
      this.refresh();
      this.#tick();
    });
  }

  #changed(): void {
    this.#sample();
    this.refresh();
  }

  #sample(): void {
    const { known, connection } = this.#feed;
    if (known === null || connection.kind === 'away') return;
    this.#throughput = addSample(
      this.#throughput,
      this.#options.clock.now(),
      known.state.codex_totals.total_tokens,
    );
  }

  /** The terminal has moved or cut what it showed: everything is drawn anew, once the size is settled. */
  #resize(): void {
    const { clock } = this.#options;
    this.#cancelDraw?.();
    this.#cancelDraw = clock.setTimer(SETTLE_MS, () => {
      this.#mode.clear();
      this.#ink.forget();
      this.#draw();
    });
  }

  #draw(): void {
    this.#cancelDraw = null;
    if (this.#closed || this.#asleep) return;
    const { clock, color, quits } = this.#options;
    try {
      const size = this.#size();
      const now = clock.now();
      this.#drawnAt = now;
      const [ui, issue, sections] = [this.#ui, this.#issue.data, this.#currentSections()];
      const lines = screenLines({ view: this.#view(), ui, sections, issue, size, now, quits });
      this.#ink.draw(lines.map((line) => paintLine(line, size.columns, color)));
    } catch (error) {
      this.#fail(error);
    }
  }

  #view(): View {
    const { connection, known, place } = this.#feed;
    return {
      connection,
      known,
      pageUrl: place?.pageUrl ?? null,
      tokensPerSecond: tokensPerSecond(this.#throughput),
      log: this.#options.log?.() ?? [],
      notice: this.#options.notice?.() ?? null,
    };
  }

  #size(): Size {
    const { columns = 80, rows = 24 } = this.#options.terminal.output;
    return { columns: Math.max(1, columns), rows: Math.max(1, rows) };
  }

  #currentSections(): readonly Section[] {
    const state = this.#feed.known?.state ?? null;
    if (this.#sections.of !== state) {
      this.#sections = { of: state, sections: state === null ? [] : sectionsOf(state) };
    }
    return this.#sections.sections;
  }

  #scene(): Scene {
    const sections = this.#currentSections();
    const { known, place, connection } = this.#feed;
    const refusal =
      known === null || connection.kind === 'away'
        ? 'the worker is away; try again when it is back'
        : !known.takesActions
          ? 'this worker can only be looked at'
          : (place?.refusal ?? null);
    return {
      rows: rowsOf(filterSections(sections, this.#ui.filter)),
      allRows: rowsOf(sections),
      paused: known?.state.paused ?? false,
      refusal,
      page: Math.max(1, this.#size().rows - 8),
      now: this.#options.clock.now(),
    };
  }

  #press(key: Key): void {
    if (this.#closed) return;
    try {
      const { ui, effects } = update(this.#ui, key, this.#scene());
      this.#ui = ui;
      for (const effect of effects) this.#carryOut(effect);
      this.refresh();
    } catch (error) {
      this.#fail(error);
    }
  }

  #carryOut(effect: Effect): void {
    switch (effect.kind) {
      case 'quit':
        this.close(effect.by);
        return;
      case 'suspend':
        this.suspend();
        return;
      case 'look':
        this.#issue.open(effect.issueId);
        return;
      case 'browse':
        this.#say('opening the browser …', 'quiet');
        this.#options.browse(effect.url).then(
          (text) => this.#say(text, 'good'),
          (error: unknown) => this.#say(messageOf(error), 'bad'),
        );
        return;
      case 'act':
        void this.#act(effect.request);
    }
  }

  async #act(request: ActionRequest): Promise<void> {
    const place = this.#feed.place;
    if (place === null) return;
    this.#say(`${request.action} …`, 'quiet');
    try {
      this.#say(await sendAction(place, request, this.#options.by), 'good');
      this.#issue.reread();
    } catch (error) {
      this.#say(messageOf(error), 'bad');
    }
  }

  #say(text: string, tone: Tone): void {
    this.#ui = { ...this.#ui, remark: { text, tone, at: this.#options.clock.now() } };
    this.refresh();
  }
}
