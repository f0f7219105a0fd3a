import type { RepoConfig } from '../../config/config.ts';

/** What git answers with when one host asks who it is. */
export interface GitCredential {
  /** `https://host:port`; no other host is ever answered. */
  readonly origin: string;
  readonly username: string;
  /** Null leaves the password to git's own helpers. */
  readonly password: string | null;
}

/** How a credential reaches git: settings without a secret, and what a pipe of the child's holds. */
export interface CredentialChannel {
  readonly settings: readonly string[];
  /** For file descriptor 3. */
  readonly secretInput: string;
}

/** Null when git's own helpers, or ssh, are to sign in. */
export function gitCredentialOf(repo: RepoConfig | null): GitCredential | null {
  const credential = repo?.credential ?? null;
  if (repo === null || credential === null || !URL.canParse(repo.cloneUrl)) return null;
  const { origin, protocol } = new URL(repo.cloneUrl);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const [username, password] = [credential.username.reveal(), credential.password?.reveal() ?? null];
  // A line break would start an answer of its own.
  if (/[\n\r\0]/.test(username + (password ?? ''))) return null;
  return { origin, username, password };
}

/** What fits into a pipe without a reader. */
const PIPE_BYTES = 60_000;

/**
 * Git asks a helper that copies one block of a fixed size from a pipe it inherited, so that the secret is in no
 * environment, command line or file, and children that ask at the same time (git-lfs) each get a whole answer.
 */
export function credentialChannel({ origin, username, password }: GitCredential): CredentialChannel {
  const answer = `username=${username}\n${password === null ? '' : `password=${password}\n`}\n`;
  const size = Math.max(512, Math.ceil(Buffer.byteLength(answer) / 512) * 512);
  const block = answer + '\n'.repeat(size - Buffer.byteLength(answer));
  const helper = `!f() { test "$1" = get && dd bs=${size} count=1 <&3 2>/dev/null; }; f`;
  const key = `credential.${origin}.helper`;
  // An empty value forgets the helpers named before it; without a password theirs is still wanted, after our user name.
  const settings =
    password === null ? ['-c', `${key}=${helper}`] : ['-c', `${key}=`, '-c', `${key}=${helper}`];
  return { settings, secretInput: block.repeat(Math.max(1, Math.floor(PIPE_BYTES / size))) };
}

/** What `origin` of a workspace is: without a credential, unless agents push by themselves with the clone address's own. */
export function workspaceRemoteUrl({ cloneUrl, push, credential }: RepoConfig): string {
  if (push !== 'agent' || credential?.source !== 'clone_url' || !URL.canParse(cloneUrl)) return cloneUrl;
  const parts = [credential.username, credential.password].flatMap((part) => part?.reveal() ?? []);
  return cloneUrl.replace('://', `://${parts.map(encodeURIComponent).join(':')}@`);
}
