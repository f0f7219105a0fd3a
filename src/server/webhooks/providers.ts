/** How one kind of tracker signs and describes its webhooks. */
export interface WebhookProvider {
  /** Headers that may carry the signature, the first one sent counts; with the text before its hexadecimal digits. */
  readonly signatures: readonly { readonly header: string; readonly prefix: string }[];
  readonly deliveryHeaders: readonly string[];
  readonly eventHeaders: readonly string[];
  /** Events after which a poll may see something new. */
  readonly waking: ReadonlySet<string>;
  /** Larger bodies are refused. */
  readonly mostBytes: number;
  /** True when the body says when it was sent. */
  readonly dated: boolean;
}

const HUB_SIGNATURE = { header: 'x-hub-signature-256', prefix: 'sha256=' };
const FORGE_EVENTS = ['issues', 'pull_request'];
/** GitHub sends nothing larger. */
const FORGE_BYTES = 25 * 1024 * 1024;

/** By `tracker.kind`. */
export const WEBHOOK_PROVIDERS: Readonly<Record<string, WebhookProvider>> = {
  github: {
    signatures: [HUB_SIGNATURE],
    deliveryHeaders: ['x-github-delivery'],
    eventHeaders: ['x-github-event'],
    waking: new Set([...FORGE_EVENTS, 'sub_issues', 'issue_dependencies', 'label']),
    mostBytes: FORGE_BYTES,
    dated: false,
  },
  /** Forgejo too: it sends both families of headers. */
  gitea: {
    signatures: [
      { header: 'x-forgejo-signature', prefix: '' },
      { header: 'x-gitea-signature', prefix: '' },
      HUB_SIGNATURE,
    ],
    deliveryHeaders: ['x-forgejo-delivery', 'x-gitea-delivery', 'x-github-delivery'],
    eventHeaders: ['x-forgejo-event', 'x-gitea-event', 'x-github-event'],
    waking: new Set([...FORGE_EVENTS, 'issue_assign', 'issue_label', 'issue_milestone']),
    mostBytes: FORGE_BYTES,
    dated: false,
  },
  linear: {
    signatures: [{ header: 'linear-signature', prefix: '' }],
    deliveryHeaders: ['linear-delivery'],
    eventHeaders: ['linear-event'],
    waking: new Set(['Issue', 'IssueLabel', 'IssueRelation', 'Project']),
    mostBytes: 1024 * 1024,
    dated: true,
  },
};

export function firstHeader(headers: Headers, names: readonly string[]): string | null {
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) return value;
  }
  return null;
}
