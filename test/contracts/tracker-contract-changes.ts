import { describe, expect, it } from 'vitest';
import type { OpenStage } from './tracker-stage.ts';

/** A tracker that is only ever polled says so with `null`; then there is nothing to watch. */
export function trackerChangesContract(open: OpenStage, watches: boolean): void {
  describe('changes', () => {
    if (!watches) {
      it('are told by nobody: the tracker is polled', async () => {
        expect((await open([{ key: 'A', state: 'Todo' }])).tracker.changes).toBeNull();
      });
      return;
    }

    it('call back after a person changed something, until stopped', async () => {
      const stage = await open([{ key: 'A', state: 'Todo' }]);
      const { changes } = stage.tracker;
      if (changes === null) throw new Error('this tracker cannot tell');
      let calls = 0;
      let seen = (): void => {};
      const change = new Promise<void>((resolve) => {
        seen = resolve;
      });
      const stop = await changes.watch(() => {
        calls += 1;
        seen();
      });
      expect(calls).toBe(0);
      await stage.move('A', 'In Progress');
      await change;
      await stop();
      const callsAtStop = calls;

      let later = (): void => {};
      const laterChange = new Promise<void>((resolve) => {
        later = resolve;
      });
      const stopLater = await changes.watch(() => later());
      await stage.move('A', 'Done');
      await laterChange;
      await stopLater();
      expect(calls).toBe(callsAtStop);
    });
  });
}
