import { line, type Section } from '../requirement.ts';

export const workspaces: Section = {
  name: '§9 Workspaces',
  count: 17,
  lines: [
    line('R-9.1-a', 'behaviour', 'A workspace is <absolute root>/<key>'),
    line('R-9.1-b', 'behaviour', 'Workspaces are reused, and kept after a success'),
    line('R-9.2-a', 'behaviour', 'Key, path, directory, created_now, then after_create'),
    line('R-9.2-b', 'behaviour', 'No version control is assumed: hooks may fill the directory'),
    line('R-9.3-a', 'behaviour', 'A directory that cannot be filled fails the attempt'),
    line('R-9.3-b', 'may', 'A half-made new directory may be removed'),
    line('R-9.3-c', 'should', 'A reused workspace is never reset by a failure'),
    line('R-9.4-a', 'behaviour', 'Hooks run in a shell, in the workspace'),
    line('R-9.4-b', 'behaviour', 'Hooks end at hooks.timeout_ms'),
    line('R-9.4-c', 'behaviour', 'Start, failure and timeout of a hook are logged'),
    line('R-9.4-d', 'behaviour', 'A failing after_create fails the creation'),
    line('R-9.4-e', 'behaviour', 'A failing before_run fails the attempt'),
    line('R-9.4-f', 'behaviour', 'A failing after_run is logged and ignored'),
    line('R-9.4-g', 'behaviour', 'A failing before_remove is logged and ignored'),
    line('R-9.5-a', 'behaviour', 'An agent starts in its workspace and nowhere else'),
    line('R-9.5-b', 'must', 'A path outside the root is refused'),
    line('R-9.5-c', 'behaviour', 'Directory names are sanitised, with a hash when that changed them'),
  ],
};
