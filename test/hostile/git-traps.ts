import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Programs that git runs by configuration, as `key` and what the value is made of. */
export const EXECUTING_SETTINGS: readonly (readonly [key: string, value: (program: string) => string])[] = [
  ['core.fsmonitor', plain],
  ['core.hooksPath', (program) => `${program}.hooks`],
  ['core.sshCommand', plain],
  ['core.gitProxy', plain],
  ['core.editor', plain],
  ['core.pager', plain],
  ['core.askPass', plain],
  ['core.alternateRefsCommand', plain],
  ['sequence.editor', plain],
  ['pager.status', plain],
  ['pager.diff', plain],
  ['pager.log', plain],
  ['alias.status', shell],
  ['alias.ls-files', shell],
  ['alias.rev-parse', shell],
  ['filter.evil.clean', plain],
  ['filter.evil.smudge', plain],
  ['filter.evil.process', plain],
  ['filter.evil.required', () => 'true'],
  ['filter.lfs.clean', plain],
  ['filter.lfs.process', plain],
  ['diff.external', plain],
  ['diff.evil.command', plain],
  ['diff.evil.textconv', plain],
  ['merge.evil.driver', plain],
  ['merge.default', () => 'evil'],
  ['credential.helper', shell],
  ['gpg.program', plain],
  ['gpg.ssh.program', plain],
  ['commit.gpgSign', () => 'true'],
  ['log.showSignature', () => 'true'],
  ['uploadpack.packObjectsHook', plain],
  ['remote.origin.uploadpack', plain],
  ['remote.origin.receivepack', plain],
  ['remote.origin.proxy', plain],
  ['remote.origin.vcs', () => 'ext'],
  ['remote.origin.promisor', () => 'true'],
  ['remote.origin.partialclonefilter', () => 'blob:none'],
  ['extensions.partialClone', () => 'origin'],
  ['protocol.ext.allow', () => 'always'],
  ['protocol.allow', () => 'always'],
  ['remote.evil.url', (program) => `ext::${program}`],
  ['submodule.evil.update', shell],
  ['submodule.evil.url', (program) => `ext::${program}`],
  ['submodule.recurse', () => 'true'],
  ['diff.submodule', () => 'log'],
  ['status.submoduleSummary', () => 'true'],
  ['lfs.customtransfer.evil.path', plain],
  ['lfs.standalonetransferagent', () => 'evil'],
  ['trailer.evil.command', plain],
  ['man.evil.cmd', plain],
  ['browser.evil.cmd', plain],
  ['difftool.evil.cmd', plain],
  ['mergetool.evil.cmd', plain],
  ['interactive.diffFilter', plain],
  ['sendemail.smtpServer', plain],
  ['imap.tunnel', plain],
  ['fsmonitor.socketDir', (program) => `${program}.hooks`],
  ['trace2.eventTarget', (program) => `${program}.trace`],
  ['trace2.normalTarget', (program) => `${program}.trace`],
];

const HOOKS = [
  ...['pre-commit', 'post-checkout', 'post-merge', 'post-commit', 'post-rewrite', 'pre-push', 'pre-auto-gc'],
  ...['reference-transaction', 'post-index-change', 'fsmonitor-watchman', 'proc-receive', 'pre-receive'],
  ...['update', 'post-receive', 'post-update', 'push-to-checkout', 'sendemail-validate', 'p4-changelist'],
];

function plain(program: string): string {
  return program;
}

function shell(program: string): string {
  return `!${program}`;
}

export interface Trap {
  /** Exists once any of it has run. */
  readonly proof: string;
  readonly program: string;
}

/** A program outside of every workspace that leaves a proof; what an agent would put inside works the same way. */
export function makeTrap(folder: string): Trap {
  mkdirSync(folder, { recursive: true });
  const proof = join(folder, 'executed');
  const program = join(folder, 'trap.sh');
  writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> '${proof}'\ncat\n`);
  chmodSync(program, 0o755);
  mkdirSync(`${program}.hooks`);
  for (const name of HOOKS) writeProgram(join(`${program}.hooks`, name), program);
  return { proof, program };
}

/** Puts every setting, the hooks and the attributes that use them into a repository. */
export function armRepository(gitDirectory: string, workTree: string | Buffer, { program }: Trap): void {
  const lines = EXECUTING_SETTINGS.map(([key, value]) => configLines(key, value(program)));
  const included = `${program}.${lines.length}.config`;
  writeFileSync(included, lines.join(''));
  const config = join(gitDirectory, 'config');
  const more = `[include]\n\tpath = ${included}\n[includeIf "gitdir:/**"]\n\tpath = ${included}\n`;
  writeFileSync(config, `${lines.join('')}${more}[extensions]\n\tworktreeConfig = true\n`, { flag: 'a' });
  writeFileSync(join(gitDirectory, 'config.worktree'), lines.join(''));
  mkdirSync(join(gitDirectory, 'hooks'), { recursive: true });
  for (const name of HOOKS) writeProgram(join(gitDirectory, 'hooks', name), program);
  mkdirSync(join(gitDirectory, 'info'), { recursive: true });
  const attributes = '* filter=evil diff=evil merge=evil\n';
  writeFileSync(join(gitDirectory, 'info', 'attributes'), attributes);
  writeFileSync(below(workTree, '.gitattributes'), attributes);
}

export function below(folder: string | Buffer, name: string): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from(`/${name}`)]);
}

function writeProgram(path: string, program: string): void {
  writeFileSync(path, `#!/bin/sh\nexec '${program}' "$0" "$@"\n`);
  chmodSync(path, 0o755);
}

function configLines(key: string, value: string): string {
  const [section = '', ...rest] = key.split('.');
  const name = rest.pop() ?? '';
  const header = rest.length === 0 ? section : `${section} "${rest.join('.')}"`;
  return `[${header}]\n\t${name} = "${value}"\n`;
}

/** Names of bytes that are no UTF-8 reach git through a script: Node's arguments are text. */
export function gitAtBytes(cwd: Buffer, env: Record<string, string>, ...args: string[]): string {
  const name = [...cwd].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  const script = `cd "$(printf '${name}')" && exec git "$@"`;
  return execFileSync('sh', ['-c', script, 'git', ...args], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
}
