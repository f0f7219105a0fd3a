import { randomUUID } from 'node:crypto';
import { systemClock } from '../../domain/clock.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Child } from '../../process/children/child.ts';
import type { AgentSession, SessionInput, TurnResult } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import { watchSilence } from '../silence-watch.ts';
import type { Timing } from '../timing.ts';
import { createTurnBook } from '../turn-book.ts';
import { activity } from './activity.ts';
import { startProcess } from './process.ts';

/** Lines that are reported of one turn; the rest of the answer is not. */
const MAX_LINES = 200;

/** A command that reads the prompt, prints its answer as text and ends. Each turn is a process of its own. */
export function openTextSession(
  input: SessionInput,
  timing: Timing,
  launch: () => Promise<Launch>,
): AgentSession {
  input.logger.warn(
    'claude.command prints plain text: there are no tools, questions, tokens or costs, no turn remembers another, and nothing is resumed; remove -p from it for all of these',
  );
  let closed = false;
  let child: Child | null = null;
  let stopping: Promise<void> | null = null;
  let turn = 0;
  let ending: TurnResult | null = null;
  const emit: SessionInput['onEvent'] = (event) => {
    if (!closed) input.onEvent(event);
  };
  const turns = createTurnBook(emit);
  emit({ type: 'session_started', sessionId: randomUUID(), pid: null, model: null, resumed: false });

  const terminate = async (): Promise<void> => {
    await child?.terminate(timing.stopGrace).catch((error: unknown) => {
      input.logger.error('Claude could not be ended', { error: messageOf(error) });
    });
  };

  const execute = async (prompt: string): Promise<TurnResult> => {
    let lines = 0;
    let cancelSilence = (): void => {};
    try {
      const process = await startProcess(await launch(), input, systemClock, {
        onLine(line) {
          lines += 1;
          const said = lines > MAX_LINES ? null : activity('message', line);
          if (said !== null) emit(said);
        },
        onOversizeLine: () => {},
      });
      child = process.child;
      cancelSilence = watchSilence({
        clock: systemClock,
        silenceMs: timing.silenceMs,
        heardAt: process.heardAt,
        onSilent() {
          ending ??= {
            kind: 'timed_out',
            message: 'Claude was silent for longer than claude.turn_timeout_ms',
          };
          void terminate();
        },
      });
      if (ending !== null) await terminate();
      await child.writeLine(prompt).catch(() => {});
      child.endInput();
      const { message } = await process.gone;
      const { code } = await child.exited;
      return code === 0 ? { kind: 'completed' } : { kind: 'failed', code: 'turn_failed', message };
    } catch (error) {
      return { kind: 'failed', code: 'agent_not_found', message: messageOf(error) };
    } finally {
      cancelSilence();
      // Whatever the command left behind ends with its turn.
      await terminate();
    }
  };

  return {
    async runTurn(prompt, signal) {
      if (turns.current() !== null) throw new Error('a turn is already running');
      if (signal.aborted || stopping !== null) return { kind: 'interrupted' };
      ending = null;
      turn += 1;
      const ended = turns.begin();
      turns.started(`turn-${turn}`);
      const onAbort = (): void => {
        ending ??= { kind: 'interrupted' };
        void terminate();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const result = await execute(prompt);
      signal.removeEventListener('abort', onAbort);
      turns.end(ending ?? result);
      return ended;
    },
    steer: null,
    stop() {
      ending ??= { kind: 'interrupted' };
      stopping ??= terminate().then(() => {
        turns.end({ kind: 'interrupted' });
        closed = true;
      });
      return stopping;
    },
  };
}
