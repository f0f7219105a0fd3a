import type { ReportedTurnResult } from '../messages.ts';
import type { Behaviour } from '../script-schema.ts';
import { becomeStubborn, crash, flood, hang, leaveGrandchild, printGarbage } from './faults.ts';
import { handOff } from './hand-off.ts';
import { send } from './output.ts';
import type { Session } from './session.ts';
import { publish, workOneStep } from './work.ts';

/** Misbehaviour belongs to the first `times` runs of an issue; after them the agent succeeds. */
export function behaviourOf(session: Session): Behaviour {
  const { script, memory } = session;
  return script.times > 0 && memory.runs > script.times ? 'succeed' : script.behaviour;
}

/** Runs one turn to its result; a failure is a result, too. */
export async function runTurn(session: Session, prompt: string): Promise<ReportedTurnResult> {
  session.beginTurn();
  try {
    await getStuck(session);
    await session.say(
      'reasoning',
      `Read a prompt of ${prompt.length} characters for ${session.issue.identifier}`,
    );
    await session.reportUsage(0.25);
    return await behave(session);
  } catch (error) {
    if (session.interrupted) return { kind: 'interrupted' };
    return {
      kind: 'failed',
      code: 'turn_failed',
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

/** For a turn that hangs from its beginning: from here on not even an interrupt is heeded. */
async function getStuck(session: Session): Promise<void> {
  const behaviour = behaviourOf(session);
  const hangs = behaviour === 'hang' && session.script.when === 'turn';
  if (!hangs && behaviour !== 'ignore_sigterm') return;
  if (behaviour === 'ignore_sigterm') becomeStubborn();
  await send({ type: 'event', event: { type: 'activity', kind: 'message', text: 'Going silent' } });
  await hang();
}

async function behave(session: Session): Promise<ReportedTurnResult> {
  const { script, memory } = session;
  switch (behaviourOf(session)) {
    case 'fail':
      throw new Error(`failing, as the issue's mock block says (run ${memory.runs})`);
    case 'hang':
      return work(session, hang);
    case 'crash':
      if (script.when === 'turn') await crash(session);
      return work(session, () => crash(session));
    case 'ignore_sigterm':
      return hang();
    case 'ask':
      return { kind: 'input_required', method: 'mock/ask', question: script.question };
    case 'quota':
      return exhaustQuota(session);
    case 'never_finish':
      return neverFinish(session);
    case 'flood':
      await flood(session);
      return work(session);
    case 'garbage':
      await printGarbage();
      return work(session);
    case 'grandchild':
      await leaveGrandchild(session);
      return work(session);
    case 'unknown_tool':
      await callUnknownTool(session);
      return work(session);
    case 'succeed':
    case 'turns':
      return work(session);
  }
}

async function work(
  session: Session,
  afterCommit = async (): Promise<void> => {},
): Promise<ReportedTurnResult> {
  const total = session.script.turns;
  if (session.handedOff && session.script.forgets_push !== 'no') {
    await publish(session);
    await session.reportUsage(1);
    return { kind: 'completed' };
  }
  const done = await workOneStep(session, total, afterCommit);
  if (done >= total) {
    await handOff(session);
  } else {
    await session.say('message', `${total - done} of ${total} steps are left`);
    await session.reportUsage(1);
  }
  return { kind: 'completed' };
}

async function neverFinish(session: Session): Promise<ReportedTurnResult> {
  if (session.script.commits) await workOneStep(session, null, async () => {});
  else await session.say('message', 'Thinking about it some more');
  await session.reportUsage(1);
  return { kind: 'completed' };
}

async function callUnknownTool(session: Session): Promise<void> {
  const result = await session.callTool('mock_unknown_tool', {});
  if (result.success) throw new Error('a tool that was never offered answered with success');
  await session.say('tool', `mock_unknown_tool: ${result.error.message}`);
}

/** The reset time is fixed by the first run that meets it; once it has passed there is quota again. */
async function exhaustQuota(session: Session): Promise<ReportedTurnResult> {
  const { script, memory } = session;
  if (memory.quotaResetAt === null && script.reset_in_s !== null) {
    memory.quotaResetAt = Date.now() + Math.round(script.reset_in_s * 1000);
    session.remember();
  }
  const resetAt = memory.quotaResetAt;
  if (resetAt !== null && resetAt <= Date.now()) return work(session);
  await send({
    type: 'event',
    event: { type: 'rate_limits', rateLimits: { limitId: 'mock', usedPercent: 100, resetAt } },
  });
  return { kind: 'quota', message: 'the mock quota is used up', resetAt };
}
