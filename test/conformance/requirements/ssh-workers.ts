import { line, REMOTE, type Section } from '../requirement.ts';

export const sshWorkers: Section = {
  name: 'Appendix A: SSH workers',
  count: 20,
  lines: [
    line('R-A-a', 'optional', 'Without ssh_hosts work is local, with them remote', REMOTE),
    line('R-A-b', 'optional', 'No host exceeds its limit', REMOTE),
    line('R-A.1-a', 'optional', 'The worker alone owns polling, claims, retries, reconciliation', REMOTE),
    line('R-A.1-b', 'optional', 'One host per run, recorded with its workspace', REMOTE),
    line('R-A.1-c', 'optional', 'workspace.root is a path of the remote host', REMOTE),
    line('R-A.1-d', 'optional', 'The agent speaks over ssh; the worker owns its life', REMOTE),
    line('R-A.1-e', 'optional', 'Turns of a run stay on one host and workspace', REMOTE),
    line('R-A.1-f', 'optional', 'A host has shell, root, agent and access', REMOTE),
    line('R-A.2-a', 'may', 'Hosts may be a pool', REMOTE),
    line('R-A.2-b', 'may', 'Retries may prefer the host they had', REMOTE),
    line('R-A.2-c', 'optional', 'The limit per host is one for all hosts', REMOTE),
    line('R-A.2-d', 'optional', 'All hosts full: wait, never run locally', REMOTE),
    line('R-A.2-e', 'may', 'Another host may take over before work began', REMOTE),
    line('R-A.2-f', 'optional', 'After side effects another host is a new attempt', REMOTE),
    line('R-A.3-a', 'optional', 'Hosts that drifted apart are reported', REMOTE),
    line('R-A.3-b', 'optional', 'Moving to another host is a cold start', REMOTE),
    line('R-A.3-c', 'optional', 'Odd paths are quoted and bounded there too', REMOTE),
    line('R-A.3-d', 'optional', 'No connection is told from a failing agent', REMOTE),
    line('R-A.3-e', 'optional', 'A dead host shrinks capacity, nothing else', REMOTE),
    line('R-A.3-f', 'optional', 'Host, place and clean-up are visible', REMOTE),
  ],
};
