import type { RepoConfig } from '../../config/config.ts';
import { Secret } from '../../config/resolve/secret.ts';

/** A repository on its way to our own helper: what nothing else can serialise is said here. */
export interface SentRepo {
  readonly repo: Omit<RepoConfig, 'token' | 'credential'>;
  readonly token: string | null;
  readonly credential: {
    readonly source: NonNullable<RepoConfig['credential']>['source'];
    readonly username: string;
    readonly password: string | null;
  } | null;
}

export function sendRepo(config: RepoConfig | null): SentRepo | null {
  if (config === null) return null;
  const { token, credential, ...repo } = config;
  return {
    repo,
    token: token?.reveal() ?? null,
    credential:
      credential === null
        ? null
        : {
            source: credential.source,
            username: credential.username.reveal(),
            password: credential.password?.reveal() ?? null,
          },
  };
}

export function receiveRepo(sent: SentRepo | null): RepoConfig | null {
  if (sent === null) return null;
  const { repo, token, credential } = sent;
  return {
    ...repo,
    token: secretOf(token),
    credential:
      credential === null
        ? null
        : {
            source: credential.source,
            username: new Secret(credential.username),
            password: secretOf(credential.password),
          },
  };
}

function secretOf(value: string | null): Secret | null {
  return value === null ? null : new Secret(value);
}
