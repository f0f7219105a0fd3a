import { z } from 'zod';
import { Secret } from '../resolve/secret.ts';
import { block, filledText, optional, type Place, withDefault } from './key.ts';

/** An address may hold a token in its path, so it is a secret. */
const ADDRESS = { applies: 'at once', secret: true, defaultText: 'none', read: readAddress } as const;

export const notificationsBlock = block(
  {
    webhook_url: optional(filledText, 'Address that gets each notice as JSON by `POST`.', ADDRESS),
    slack_url: optional(
      filledText,
      'Slack-compatible incoming webhook that gets each notice as text.',
      ADDRESS,
    ),
    command: optional(
      filledText,
      'Shell command run for each notice: JSON on standard input, `AIOPS_NOTICE_*` in the environment.',
      { applies: 'at once', defaultText: 'none' },
    ),
    on: withDefault(
      z.array(z.enum(['needs_you', 'delivered'])),
      ['needs_you', 'delivered'],
      'What is worth a notice: an issue that waits for a person, an issue that was delivered.',
      { applies: 'at once' },
    ),
  },
  'Telling people outside of the dashboard.',
);

/** An http address, given as it is or as `$VAR`. No message shows it. */
function readAddress(written: string | undefined, { at, key }: Place): Secret | null {
  const address = written === undefined ? null : (at.expand(key, written)?.trim() ?? null);
  if (address === null) return null;
  at.hidden.add(address);
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new Secret(address);
  at.problem(key, `${key} is not an http or https address`, 'Write it like https://hooks.example/path.');
  return null;
}
