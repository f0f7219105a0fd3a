import type { TerminateGrace } from '../process/children/child.ts';
import { DEFAULT_TOOL_LIMITS, type ToolLimits } from './tool-desk.ts';

/** Every wait of a session. */
export interface Timing {
  /** For an answer of the agent, at the start and later. */
  readonly responseTimeoutMs: number;
  /** The longest silence within a turn. */
  readonly silenceMs: number;
  /** How long an interrupted turn may take to end by itself before the process is ended. */
  readonly interruptGraceMs: number;
  readonly stopGrace: TerminateGrace;
  /** How often a lively agent is reported that has nothing to tell. */
  readonly pulseMs: number;
  readonly tools: ToolLimits;
}

const LONGEST_PULSE_MS = 5_000;
/** An agent may have to load a long conversation before it answers. */
const RESPONSE_TIMEOUT_MS = 60_000;

/** An agent that does not listen is gone two seconds after a stop order: the whole run has five. */
export const STOP_TIMING: Pick<Timing, 'interruptGraceMs' | 'stopGrace'> = {
  interruptGraceMs: 750,
  stopGrace: { inputEndMs: 500, termMs: 750 },
};

export function timingOf(
  { turnTimeoutMs, stallTimeoutMs }: { readonly turnTimeoutMs: number; readonly stallTimeoutMs: number },
  responseTimeoutMs = RESPONSE_TIMEOUT_MS,
): Timing {
  return {
    responseTimeoutMs,
    silenceMs: turnTimeoutMs,
    ...STOP_TIMING,
    pulseMs:
      stallTimeoutMs === 0 ? LONGEST_PULSE_MS : Math.min(LONGEST_PULSE_MS, Math.ceil(stallTimeoutMs / 4)),
    tools: DEFAULT_TOOL_LIMITS,
  };
}
