import { documented, line, type Section } from '../requirement.ts';

export const security: Section = {
  name: '§15 Security',
  count: 18,
  lines: [
    line(
      'R-15.1-a',
      'docs',
      'Trusted or restricted surroundings are named',
      documented('SECURITY.md#trust-posture', 'Not trusted:'),
    ),
    line(
      'R-15.1-b',
      'docs',
      'The controls that are relied on are named',
      documented('SECURITY.md#what-is-enforced', 'allow-list'),
    ),
    line('R-15.2-a', 'must', 'A workspace stays under its root'),
    line('R-15.2-b', 'must', 'An agent’s directory is the workspace of its run'),
    line('R-15.2-c', 'must', 'Directory names are sanitised identifiers'),
    line(
      'R-15.2-d',
      'docs',
      'A user, a root and a volume of its own are advised',
      documented('SECURITY.md#trust-posture', 'Run the worker under a user of its own'),
    ),
    line('R-15.3-a', 'behaviour', 'Secrets can be written as variables'),
    line('R-15.3-b', 'behaviour', 'No secret appears in a log'),
    line('R-15.3-c', 'behaviour', 'A secret is checked without being shown'),
    line('R-15.3-d', 'behaviour', 'Tracker tools run in the worker'),
    line('R-15.3-e', 'must', 'Declared secret names are removed from what launchers start'),
    line(
      'R-15.3-f',
      'docs',
      'No literal credential where an agent can read it',
      documented('SECURITY.md#what-you-should-do', 'Write credentials into the environment'),
    ),
    line('R-15.4-a', 'behaviour', 'Hooks are trusted and run in the workspace'),
    line('R-15.4-b', 'should', 'Their output is cut in the log'),
    line('R-15.4-c', 'must', 'They have timeouts'),
    line(
      'R-15.5-a',
      'docs',
      'Risks are weighed and the harness is hardened',
      documented('SECURITY.md#limits', 'readable by whoever can write issues'),
    ),
    line('R-15.5-b', 'should', 'Issues, repositories, prompts and tool arguments are not trusted'),
    line(
      'R-15.5-c',
      'docs',
      'Hardening is written down',
      documented('SECURITY.md#what-is-enforced', 'Workspaces stay under their root'),
    ),
  ],
};
