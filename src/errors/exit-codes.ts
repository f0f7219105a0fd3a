/** What every exit code of the program means: one table for commands, errors and the reference. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  noWorker: 3,
  noAccess: 4,
  notApplicable: 5,
  runFailed: 6,
  pollFailed: 7,
  setupBroken: 8,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done; for a check: nothing failed, though there may be warnings',
  failed: 'it failed, or a check found something wrong; standard error says what, and what to do',
  usage: 'the command line is wrong',
  noWorker: 'no worker answers, or another one than the one that was meant',
  noAccess: 'the token of the worker is missing, is refused, or may only read',
  notApplicable: 'the action does not apply to the issue as it is now',
  runFailed: '`worker --once`: a run failed, timed out or stalled',
  pollFailed: '`worker --once` and `--dry-run`: the tracker could not be polled',
  setupBroken: 'the preflight of a worker found a set-up that cannot work',
  hungUp: 'ended by SIGHUP before it was done, as when its terminal goes away',
  interrupted: 'ended by Ctrl-C (SIGINT) before it was done',
  terminated: 'ended by SIGTERM before it was done',
};
