import { randomUUID } from 'node:crypto';
import { messageOf } from '../../errors/app-error.ts';
import type { Child } from '../../process/child.ts';
import { spawnChild } from '../../process/spawn.ts';
import type { AgentSession, SessionInput, TurnResult } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import { createTurnBook } from '../turn-book.ts';
import { activity } from './activity.ts';
import type { Timing } from './timing.ts';

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
    let lastErrorLine = '';
    let cancelSilence = (): void => {};
    const { command, args, env, dispose } = await launch();
    const restart = (): void => {
      cancelSilence();
      const timer = setTimeout(() => {
        ending ??= { kind: 'timed_out', message: 'Claude was silent for longer than claude.turn_timeout_ms' };
        void terminate();
      }, timing.silenceMs);
      cancelSilence = () => clearTimeout(timer);
    };
    try {
      child = await spawnChild({
        command,
        args,
        env,
        cwd: input.workspacePath,
        runId: input.runId,
        onLine(line) {
          restart();
          lines += 1;
          const said = lines > MAX_LINES ? null : activity('message', line);
          if (said !== null) emit(said);
        },
        onErrorLine(line) {
          if (line.trim() !== '') lastErrorLine = line.trim();
        },
      });
      restart();
      if (ending !== null) await terminate();
      await child.writeLine(prompt).catch(() => {});
      child.endInput();
      const { code, signal } = await child.exited;
      if (code === 0) return { kind: 'completed' };
      const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      return {
        kind: 'failed',
        code: 'turn_failed',
        message: `Claude ${how}: ${lastErrorLine.slice(0, 500)}`,
      };
    } catch (error) {
      return { kind: 'failed', code: 'agent_not_found', message: messageOf(error) };
    } finally {
      cancelSilence();
      // Whatever the command left behind ends with its turn.
      await terminate();
      await dispose?.().catch(() => {});
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
