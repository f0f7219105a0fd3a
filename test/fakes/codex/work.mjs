import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandItem, messageItem } from './messages.mjs';

/** What an agent does that does its work: edits, commits, pushes, and says so. */
export function commitWork(agent) {
  const { cwd } = agent.state;
  const git = (...args) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  agent.started(commandItem('cmd-1', cwd, 'git commit'));
  appendFileSync(join(cwd, 'NOTES.md'), `turn ${agent.state.turns}\n`);
  git('add', 'NOTES.md');
  git(
    '-c',
    'user.name=Fake Codex',
    '-c',
    'user.email=codex@example.invalid',
    'commit',
    '-qm',
    'Note the turn',
  );
  git('push', '--quiet', 'origin', 'HEAD');
  agent.completed(commandItem('cmd-1', cwd, 'git commit', { exitCode: 0, output: '' }));
  agent.spend();
}

export async function deliver(agent) {
  commitWork(agent);
  await agent.tool('issue_move', { state: 'Human Review' });
  agent.completed(messageItem('msg-1', 'The work is handed over.'));
  agent.end();
}

export function say(agent, text) {
  agent.completed(messageItem(`msg-${Math.random()}`, text));
}
