import { line, type Section } from '../requirement.ts';

export const configuration: Section = {
  name: '§6 Configuration',
  count: 21,
  lines: [
    line('R-6.1-a', 'behaviour', 'Path, YAML, defaults, variables, then types and checks'),
    line('R-6.1-b', 'behaviour', 'A variable nobody refers to changes nothing'),
    line('R-6.1-c', 'behaviour', 'A documented fallback variable serves its adapter only'),
    line('R-6.1-d', 'behaviour', 'Paths expand ~ and variables; addresses and commands stay as written'),
    line('R-6.1-e', 'behaviour', 'A relative root is relative to the file, not the working directory'),
    line('R-6.2-0', 'must', 'Reloading is always on'),
    line('R-6.2-a', 'must', 'A change of the file is noticed'),
    line('R-6.2-b', 'must', 'Settings and prompt are read and applied again without a restart'),
    line('R-6.2-c', 'must', 'Cadence, limits, states, agent settings, paths, hooks and prompt follow'),
    line('R-6.2-d', 'behaviour', 'Future dispatches, retries, reconciliation, hooks and launches follow'),
    line('R-6.2-e', 'behaviour', 'Sessions under way need not restart'),
    line('R-6.2-f', 'may', 'Listeners may need a restart'),
    line('R-6.2-g', 'should', 'A missed file event does not matter'),
    line('R-6.2-h', 'must', 'A bad edit keeps the last good settings and is visible'),
    line('R-6.3-a', 'behaviour', 'Settings are checked before the loop starts'),
    line('R-6.3-b', 'behaviour', 'A failed check fails the start visibly'),
    line('R-6.3-c', 'behaviour', 'Each dispatch cycle checks first'),
    line('R-6.3-d', 'behaviour', 'A failed check skips dispatch, not reconciliation, and is visible'),
    line('R-6.3-e', 'behaviour', 'Checks cover file, tracker kind, provider keys and codex.command'),
    line('R-6.4-a', 'behaviour', 'A core config needs no extension fields'),
    line('R-6.4-b', 'behaviour', 'Every core key has the SPEC’s type and default'),
  ],
};
