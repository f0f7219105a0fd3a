import type { NotificationsConfig } from '../config/config.ts';
import { messageOf } from '../errors/app-error.ts';
import { runCommand } from '../process/helper/helper.ts';
import { type Notice, noticeJson, noticeText } from './notice.ts';

const PATIENCE_MS = 10_000;
const COMMAND_PATIENCE_MS = 30_000;

/** What became of one attempt: `later` may work another time, `never` will not. */
export type Delivery =
  | { readonly result: 'sent' }
  | { readonly result: 'later' | 'never'; readonly why: string };

/** One way to reach people. Never throws. */
export interface Channel {
  /** For the log; holds no address. */
  readonly name: string;
  send(notice: Notice, signal: AbortSignal): Promise<Delivery>;
}

export interface ChannelOptions {
  readonly config: NotificationsConfig;
  /** What the command may see. Without credentials. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** The channels a configuration asks for. */
export function createChannels({ config, environment, cwd }: ChannelOptions): readonly Channel[] {
  const { webhookUrl, slackUrl, command } = config;
  return [
    ...(webhookUrl === null ? [] : [httpChannel('webhook', webhookUrl.reveal(), noticeJson)]),
    ...(slackUrl === null ? [] : [httpChannel('slack', slackUrl.reveal(), slackJson)]),
    ...(command === null ? [] : [commandChannel(command, environment, cwd)]),
  ];
}

function slackJson(notice: Notice): Record<string, unknown> {
  const text = noticeText(notice).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { text };
}

function httpChannel(
  name: string,
  address: string,
  bodyOf: (notice: Notice) => Record<string, unknown>,
): Channel {
  return {
    name,
    async send(notice, signal) {
      try {
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'aiops-platform' },
          body: JSON.stringify(bodyOf(notice)),
          // Following one would hand the notice to somebody nobody named.
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
        });
        await response.body?.cancel();
        if (response.ok) return { result: 'sent' };
        const retry = response.status >= 500 || response.status === 408 || response.status === 429;
        return { result: retry ? 'later' : 'never', why: `it answered with status ${response.status}` };
      } catch (error) {
        return { result: 'later', why: `no answer: ${causeOf(error)}` };
      }
    },
  };
}

/** The message of fetch itself says nothing; its cause does, without the address. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : messageOf(cause);
}

function commandChannel(
  command: string,
  environment: Readonly<Record<string, string>>,
  cwd: string,
): Channel {
  return {
    name: 'command',
    async send(notice, signal) {
      const result = await runCommand({
        command: '/bin/sh',
        args: ['-c', command],
        cwd,
        env: { ...environment, ...variablesOf(notice) },
        input: `${JSON.stringify(noticeJson(notice))}\n`,
        timeoutMs: COMMAND_PATIENCE_MS,
        maxOutputBytes: 4096,
        signal,
      });
      if (result.outcome === 'exited' && result.code === 0) return { result: 'sent' };
      const why =
        result.spawnError ?? (result.outcome === 'exited' ? `exit code ${result.code}` : result.outcome);
      return { result: 'later', why };
    },
  };
}

function variablesOf(notice: Notice): Record<string, string> {
  const plain = (text: string): string => text.replaceAll('\0', '');
  return {
    AIOPS_NOTICE_KIND: notice.kind,
    AIOPS_NOTICE_ISSUE: plain(notice.identifier),
    AIOPS_NOTICE_TITLE: plain(notice.title),
    AIOPS_NOTICE_URL: plain(notice.url ?? ''),
    AIOPS_NOTICE_MESSAGE: plain(notice.message),
  };
}
