import type { Redactor } from '../../../observability/redact.ts';
import { redactTexts } from '../../../observability/redact-texts.ts';
import type { ExecuteRun } from '../../../run/protocol.ts';

/**
 * Everything a run says passes through here before it reaches the scheduler, and with it the journal, the API and the
 * pages: an agent that prints a secret shows it to nobody, and no tool hands it one.
 */
export function redactedRuns(execute: ExecuteRun, redactor: Redactor): ExecuteRun {
  const clean = <T>(value: T): T => redactTexts(value, (text) => redactor.redact(text));
  return async (spec, channel) => {
    const result = await execute(spec, {
      stop: channel.stop,
      mayContinue: (turn, evidence) => channel.mayContinue(turn, evidence && clean(evidence)),
      callTool: async (call) => clean(await channel.callTool(call)),
      push: async (request) => clean(await channel.push(request)),
      onMessage: (listener) => channel.onMessage(listener),
      emit: (event) => channel.emit(clean(event)),
    });
    return clean(result);
  };
}
