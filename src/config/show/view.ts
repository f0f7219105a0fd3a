import type { Config } from '../config.ts';
import { maskUserInfo } from '../resolve/clone-url.ts';
import { settingName, showBlock } from '../schema/settings.ts';
import type { WorkflowFormat } from '../schema/workflow.ts';

export type ConfigView = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const MASK = '***';

interface Viewed {
  readonly config: Config;
  readonly format: WorkflowFormat;
  readonly fromVariables: ReadonlySet<string>;
}

/**
 * The settings under the names they are written with, safe to print: no credential, no user part of an address, and of what
 * `fromVariables` held only paths and addresses.
 */
export function configView({ config, format, fromVariables }: Viewed): ConfigView {
  const secrets = [...fromVariables].filter(mayBeSecret);
  const settings: Readonly<Record<string, unknown>> = {
    ...config,
    ...config.agents,
    tracker: trackerKeys(config),
  };
  const view = Object.entries(format.schema.shape).map(([name, block]) => [
    name,
    showBlock(block, settings[name]),
  ]);
  return maskTexts(Object.fromEntries(view), secrets) as ConfigView;
}

/** The tracker's own keys stand among the shared ones, too, as they may be written. */
function trackerKeys({ tracker }: Config): Readonly<Record<string, unknown>> {
  const own = Object.entries(tracker.provider).map(([name, value]) => [settingName(name), value]);
  return { ...Object.fromEntries(own), ...tracker };
}

/** What a variable held may be a credential wherever it was used; a path or a plain address is worth showing. */
function mayBeSecret(value: string): boolean {
  return value.length >= 4 && !/^(?:[~.]{0,2}\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(value);
}

function maskTexts(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return maskText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [maskText(name, secrets), maskTexts(item, secrets)]),
  );
}

function maskText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), maskUserInfo(text));
}

/** The value at a dotted key, undefined when the view has none. */
export function valueAt(view: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }, view);
}
