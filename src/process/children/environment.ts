/** What every child may see of the worker's own environment. */
export const BASELINE_ENVIRONMENT: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TERM',
  'TMPDIR',
];

/** Names that carry credentials of the worker; no child of a run ever gets them, in any spelling of upper and lower case. */
export const AGENT_ENV_DENY_LIST: readonly string[] = [
  'AIOPS_STATE_API_READ_TOKEN',
  'AIOPS_STATE_API_TOKEN',
  'GH_TOKEN',
  'GITEA_API_TOKEN',
  'GITEA_TOKEN',
  'GITHUB_PAT',
  'GITHUB_TOKEN',
  'LINEAR_API_KEY',
  'LINEAR_TOKEN',
];

/** A shorter secret denies only the variables equal to it, else a test key like `a` would empty the environment. */
const MIN_CONTAINED_SECRET_LENGTH = 8;

export interface ChildEnvironmentInput {
  /** The worker's own environment. */
  readonly source: Readonly<Record<string, string | undefined>>;
  /** Names always taken from `source`; `BASELINE_ENVIRONMENT` unless given. */
  readonly baseline?: readonly string[];
  /** Further names to take from `source`. */
  readonly passthrough: readonly string[];
  /** Names refused in addition to `AGENT_ENV_DENY_LIST`. */
  readonly denyNames: readonly string[];
  /** Secrets; a variable that equals or contains one is refused whatever its name is. */
  readonly denyValues: readonly string[];
  /** Variables of the worker's making; they win over `source`, and the refusals hold for them too. */
  readonly extra: Readonly<Record<string, string>>;
}

/** A child's whole environment: an allow-list, from which nothing refused can come out, whoever asked for it. */
export function buildChildEnvironment(input: ChildEnvironmentInput): Record<string, string> {
  const { source, baseline = BASELINE_ENVIRONMENT, passthrough, extra } = input;
  const denied = new Set([...AGENT_ENV_DENY_LIST, ...input.denyNames].map((name) => name.toUpperCase()));
  const secrets = input.denyValues.filter((value) => value !== '');
  const wanted = new Map<string, string | undefined>();
  for (const name of [...baseline, ...passthrough]) {
    if (Object.hasOwn(source, name)) wanted.set(name, source[name]);
  }
  for (const [name, value] of Object.entries(extra)) wanted.set(name, value);

  const environment: Record<string, string> = {};
  for (const [name, value] of wanted) {
    if (value === undefined || !isVariableName(name) || denied.has(name.toUpperCase())) continue;
    if (secrets.some((secret) => revealsSecret(value, secret))) continue;
    // No environment can hold a NUL; one in an issue's title must not stop the run.
    environment[name] = value.replaceAll('\0', '');
  }
  return environment;
}

function isVariableName(name: string): boolean {
  return name !== '' && !/[=\0]/.test(name);
}

function revealsSecret(value: string, secret: string): boolean {
  if (value === secret || value.trim() === secret) return true;
  return secret.length >= MIN_CONTAINED_SECRET_LENGTH && value.includes(secret);
}
