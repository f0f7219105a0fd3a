import { line, type Section } from '../requirement.ts';

export const failureModel: Section = {
  name: '§14 Failure model',
  count: 10,
  lines: [
    line(
      'R-14.1-a',
      'behaviour',
      'Failures of config, workspace, agent, tracker and observation are told apart',
    ),
    line('R-14.1-b', 'behaviour', 'A missing agent program is reported as such'),
    line('R-14.2-a', 'behaviour', 'A failed check skips dispatch; the worker lives and reconciles'),
    line('R-14.2-b', 'behaviour', 'A failed run is retried with back-off'),
    line('R-14.2-c', 'behaviour', 'A failed listing waits for the next tick'),
    line('R-14.2-d', 'behaviour', 'A failed refresh keeps the runs until the next tick'),
    line('R-14.2-e', 'behaviour', 'A failing page or log never ends the worker'),
    line('R-14.3-a', 'behaviour', 'After a restart: sweep, poll, dispatch; nothing is assumed alive'),
    line('R-14.4-a', 'behaviour', 'An edit of WORKFLOW.md takes effect without a restart'),
    line('R-14.4-b', 'behaviour', 'Moving an issue stops its run; terminal also cleans up'),
  ],
};
