/** What the webhooks of all forges have in common. */

export const HUB_SIGNATURE = { header: 'x-hub-signature-256', prefix: 'sha256=' };
export const FORGE_EVENTS: readonly string[] = ['issues', 'pull_request'];
/** GitHub sends nothing larger. */
export const MAX_FORGE_WEBHOOK_BYTES = 25 * 1024 * 1024;
