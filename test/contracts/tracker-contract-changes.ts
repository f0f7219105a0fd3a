import { describe, expect, it } from 'vitest';
import type { OpenFixture } from './tracker-fixture.ts';

/** A tracker that is only ever polled says so with `null`; then there is nothing to watch. */
export function trackerChangesContract(open: OpenFixture, watches: boolean): void {
  describe('changes', () => {
    if (!watches) {
      it('are told by nobody: the tracker is polled', async () => {
        expect((await open([{ key: 'A', state: 'Todo' }])).tracker.changes).toBeNull();
      });
      return;
    }

    it('call back after a person changed something, until stopped', async () => {
      const fixture = await open([{ key: 'A', state: 'Todo' }]);
      const { changes } = fixture.tracker;
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
      await fixture.move('A', 'In Progress');
      await change;
      await stop();
      const callsAtStop = calls;

      let later = (): void => {};
      const laterChange = new Promise<void>((resolve) => {
        later = resolve;
      });
      const stopLater = await changes.watch(() => later());
      await fixture.move('A', 'Done');
      await laterChange;
      await stopLater();
      expect(calls).toBe(callsAtStop);
    });
  });
}
