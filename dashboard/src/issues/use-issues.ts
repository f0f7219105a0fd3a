import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../src/contract/client.ts';
import type { IssueCard, TrackerBoard } from '../../../src/contract/tracker-issues.ts';
import { client } from '../access/browser-access.ts';
import type { Moves } from './derive-columns.ts';

const READ_EVERY_MS = 30_000;

export interface Issues {
  readonly board: TrackerBoard | null;
  readonly problem: string | null;
  /** What became of the last move, for people who listen or wait. */
  readonly told: { readonly text: string; readonly failed: boolean } | null;
  readonly moves: Moves;
  reload(): void;
  move(card: IssueCard, to: string): void;
}

/** The issues, read again when the worker has looked at them again (`seen`), which it does after each change on disk. */
export function useIssues(seen: string): Issues {
  const [board, setBoard] = useState<TrackerBoard | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [told, setTold] = useState<Issues['told']>(null);
  const [moves, setMoves] = useState<Moves>(new Map());
  const [round, setRound] = useState(0);
  const queue = useRef(Promise.resolve());
  const newest = useRef({ asked: 0, shown: 0 });
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    const handle = setInterval(reload, READ_EVERY_MS);
    return () => clearInterval(handle);
  }, [reload]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round, and each look of the worker, reads again.
  useEffect(() => {
    // Polls may follow each other faster than answers: none is given up for the next, the newest stays.
    const asked = ++newest.current.asked;
    client.trackerBoard().then(
      (read) => {
        if (asked < newest.current.shown) return;
        newest.current.shown = asked;
        setBoard(read);
        setProblem(null);
      },
      (error: unknown) => setProblem(describe(error)),
    );
  }, [seen, round]);
  const move = (card: IssueCard, to: string): void => {
    setMoves((before) => new Map(before).set(card.id, to));
    // One after the other: a second step of the same issue begins where the first ended.
    queue.current = queue.current.then(async () => {
      const result = await moveTo(card, to);
      setTold(result);
      // The columns change in one step: from what was wished to what is.
      const asked = ++newest.current.asked;
      const read = await client.trackerBoard().catch(() => null);
      if (read !== null) {
        newest.current.shown = asked;
        setBoard(read);
      }
      setMoves((before) => without(before, card.id, to));
    });
  };
  return { board, problem, told, moves, reload, move };
}

async function moveTo(card: IssueCard, to: string): Promise<NonNullable<Issues['told']>> {
  try {
    const { identifier, state } = await client.moveIssue(card.id, { from: card.state, to });
    return { text: `${identifier} is now in ${state}.`, failed: false };
  } catch (error) {
    return { text: `${card.identifier}: ${describe(error)}`, failed: true };
  }
}

function without(moves: Moves, id: string, to: string): Moves {
  if (moves.get(id) !== to) return moves;
  return new Map([...moves].filter(([other]) => other !== id));
}

export function describe(error: unknown): string {
  return error instanceof ApiError ? error.message : 'the page could not ask';
}
