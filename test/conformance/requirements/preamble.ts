import { documented, line, type Section } from '../requirement.ts';

export const preamble: Section = {
  name: '§1–§3 Purpose, goals, overview',
  count: 20,
  lines: [
    line(
      'R-0-a',
      'docs',
      'Every choice the SPEC leaves open is written down',
      documented('docs/conformance.md#choices-the-spec-leaves-open', 'R-0-a'),
    ),
    line('R-1-a', 'docs', 'The trust posture is named: approvals, sandbox, confirmation'),
    line('R-1-b', 'behaviour', 'No path of the worker itself writes to the tracker'),
    line('R-1-c', 'behaviour', 'An agent works without a tracker login or token of its own'),
    line('R-1-d', 'behaviour', 'Ending in a hand-over state is a success'),
    line('R-2.1-a', 'behaviour', 'Polls on a fixed cadence, within the concurrency limit'),
    line('R-2.1-b', 'behaviour', 'One authority changes scheduling state, whatever happens at once'),
    line('R-2.1-c', 'behaviour', 'An issue keeps one workspace over all its runs'),
    line('R-2.1-d', 'behaviour', 'A run is stopped when its issue stops being eligible'),
    line('R-2.1-e', 'behaviour', 'Failures are retried with exponential back-off'),
    line('R-2.1-f', 'behaviour', 'Structured logs alone suffice to operate the worker'),
    line('R-2.1-g', 'behaviour', 'A restart without a database goes on from tracker and disk'),
    line('R-2.2-a', 'behaviour', 'The core has no logic that edits tickets, pull requests or comments'),
    line('R-3.1-a', 'behaviour', 'Loading gives a config map and a prompt template'),
    line('R-3.1-b', 'behaviour', 'Settings are read typed, with defaults, variables and checks applied'),
    line('R-3.1-c', 'behaviour', 'A tracker lists by state, refreshes by id and normalises'),
    line('R-3.1-d', 'may', 'A tracker may offer tools without giving the core a way to write'),
    line('R-3.1-e', 'behaviour', 'A run makes the workspace and prompt, launches the agent, streams updates'),
    line(
      'R-3.2-a',
      'behaviour',
      'Policy, config, coordination, execution, integration, observation are apart',
    ),
    line('R-3.3-a', 'should', 'Agents do not inherit variables that hold tracker secrets'),
  ],
};
