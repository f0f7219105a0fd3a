import type { Repository } from '../../../domain/repository.ts';
import type { PlannedTracker } from '../../../trackers/tracker-setup.ts';
import type { ForgeFacts } from '../detect/facts.ts';
import { agentNamed, isBuiltIn } from '../kinds.ts';

export interface TrackerPlan extends PlannedTracker {
  readonly kind: string;
  /** Null for the address that is the default. */
  readonly endpoint: string | null;
  /** Null for a tracker without a token. */
  readonly tokenVariable: string | null;
  /** The repository of a forge whose issues are read; null elsewhere. */
  readonly repository: Repository | null;
}

/** Everything that a generated workflow depends on. */
export interface Plan {
  readonly tracker: TrackerPlan;
  readonly cloneUrl: string;
  readonly defaultBranch: string;
  /** The forge that holds the code, when the issues are elsewhere; its pull requests need a token of their own. */
  readonly codeForge: ForgeFacts | null;
  /** `repo.token`, for a repository whose credential is not the tracker's. */
  readonly repoTokenVariable: string | null;
  /** As `--agent` names it. */
  readonly agent: string;
  /** Variables of the agent's own account that it has to be given. */
  readonly passedVariables: readonly string[];
  readonly verify: readonly string[];
  readonly setUp: string | null;
  /** Where the JSON schema of workflow files is, as an editor finds it from the file. */
  readonly schema: string;
}

/** A way through a company's proxy is needed by whatever speaks to a model. */
const NETWORK_VARIABLES: readonly string[] = [
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
];

export function passedVariables(name: string, variables: readonly string[]): readonly string[] {
  const agent = agentNamed(name);
  const wanted = isBuiltIn(agent) ? [] : [...agent.variables, ...NETWORK_VARIABLES];
  return wanted.filter((variable) => variables.includes(variable));
}
