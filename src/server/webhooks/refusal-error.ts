import type { WebhookRefusal } from '../../contract/webhooks.ts';
import { AppError } from '../../errors/app-error.ts';

/** What the sender is told. Nothing in it depends on the secret or the body. */
export function refusalError(reason: Exclude<WebhookRefusal, 'too_many_failures'>): AppError {
  switch (reason) {
    case 'unsigned':
      return new AppError('webhook_signature', 'this webhook is not signed', {
        hint: 'Give the tracker the secret of server.webhooks.secret.',
      });
    case 'bad_signature':
      return new AppError('webhook_signature', 'the signature of this webhook is wrong', {
        hint: 'The tracker must sign with the secret of server.webhooks.secret, by HMAC with SHA-256.',
      });
    case 'stale':
      return new AppError('webhook_stale', 'this webhook was not sent within the last minute', {
        hint: 'Set the clocks of both machines.',
      });
    case 'too_large':
      return new AppError('request_too_large', 'this webhook is larger than any the tracker sends');
    case 'busy':
      return new AppError('webhook_busy', 'too many webhooks come at the same time', {
        hint: 'The next poll sees what they would have told.',
        context: { retryAfterSeconds: 10 },
      });
    case 'broken_off':
      return new AppError('invalid_request', 'the webhook broke off');
  }
}
