import type { ForgeSettings } from '../../../config/kinds.ts';
import type { Repository } from '../../../domain/repository.ts';
import { AppError } from '../../../errors/app-error.ts';
import type { Asking } from '../../../trackers/tracker-setup.ts';
import { parseRemote } from '../detect/address.ts';
import type { Facts, ForgeFacts, RepositoryFacts } from '../detect/facts.ts';
import { endpointOf } from '../detect/forge.ts';
import { type InitFlags, parseTracker } from '../flags.ts';
import { forgeOf, trackerNamed } from '../kinds.ts';
import { tokenVariable, trackerOptions } from './choose.ts';
import type { TrackerPlan } from './plan.ts';

/** Where the issues are. Throws `usage`, with the flag to give, for what nobody said and nobody can be asked. */
export async function decideTracker(
  facts: Facts,
  repository: RepositoryFacts,
  flags: InitFlags,
  asking: Asking,
): Promise<TrackerPlan> {
  const options = trackerOptions(facts);
  const kind =
    parseTracker(flags.tracker) ??
    (await asking.questions?.choose('Where are your issues?', options)) ??
    options[0]?.value ??
    '';
  const { setup } = trackerNamed(kind);
  const forge = forgeOf(kind);
  const place =
    forge === undefined
      ? placeOf(setup.token !== null, flags)
      : placeOn(forge, facts.forge, repository, flags);
  const variable = tokenVariable(kind, facts.variables);
  const planned = await setup.plan({ ...asking, ...place, tokenVariable: variable, flags: flags.all });
  return { kind, ...place, tokenVariable: variable, ...planned };
}

type Place = Pick<TrackerPlan, 'endpoint' | 'repository'>;

/** A tracker that is no forge; one without a server has no address either. */
function placeOf(hasServer: boolean, { endpoint }: InitFlags): Place {
  const given = hasServer && endpoint !== undefined;
  return { endpoint: given ? webAddress(endpoint) : null, repository: null };
}

/** The forge that was found, or what the flags make of the repository's address. */
function placeOn(
  forge: ForgeSettings,
  found: ForgeFacts | null,
  { cloneUrl }: RepositoryFacts,
  flags: InitFlags,
): Place {
  const { kind, servers, service } = forge;
  const remote = parseRemote(cloneUrl);
  const { owner, name } = ownerAndName(kind, flags.project) ?? remote ?? missingProject(kind);
  const repository = { owner, name };
  if (flags.endpoint !== undefined) return { endpoint: webAddress(flags.endpoint), repository };
  if (found?.kind === kind) return { endpoint: found.endpoint, repository };
  if (remote !== null) return { endpoint: endpointOf(forge, remote), repository };
  if (service !== null) return { endpoint: null, repository };
  throw new AppError('usage', `The address of the ${servers} server is not known.`, {
    hint: 'Add --endpoint with it, such as --endpoint https://git.example.org.',
  });
}

function ownerAndName(kind: string, given: string | undefined): Repository | null {
  if (given === undefined) return null;
  const [, owner, name] = /^([^/\s]+)\/([^/\s]+)$/.exec(given.trim()) ?? [];
  if (owner !== undefined && name !== undefined) return { owner, name };
  throw new AppError('usage', `--project ${JSON.stringify(given)} is no repository of ${kind}.`, {
    hint: 'Write it as owner/name.',
  });
}

function missingProject(kind: string): never {
  throw new AppError('usage', `The address of the repository does not say whose issues of ${kind} to read.`, {
    hint: 'Add --project owner/name.',
  });
}

function webAddress(given: string): string {
  if (URL.canParse(given) && /^https?:\/\//i.test(given)) return given.replace(/\/+$/, '');
  throw new AppError('usage', `--endpoint ${JSON.stringify(given)} is no http or https address.`, {
    hint: 'Write it like https://git.example.org.',
  });
}
