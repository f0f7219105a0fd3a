import type { TerminateGrace } from '../../process/children/child.ts';
import { DEFAULT_TOOL_LIMITS, type ToolLimits } from '../tools/tool-calls.ts';

/** Every wait of a session. */
export interface Timing {
  /** For an answer of the agent, at the start and later. */
  readonly responseTimeoutMs: number;
  /** The longest silence within a turn; null for no limit. */
  readonly silenceMs: number | null;
  /** How long an interrupted turn may take to end by itself before the process is ended. */
  readonly interruptGraceMs: number;
  readonly stopGrace: TerminateGrace;
  /** How often a lively agent is reported that has nothing to tell. */
  readonly pulseMs: number;
  /** How often a tool is reported that runs in silence; null when silence stops no run. */
  readonly toolPulseMs: number | null;
  readonly tools: ToolLimits;
}

const MAX_PULSE_MS = 5_000;
/** An agent may have to load a long conversation before it answers. */
const RESPONSE_TIMEOUT_MS = 60_000;

/** An agent that does not listen is gone two seconds after a stop order: the whole run has five. */
const STOP_TIMING: Pick<Timing, 'interruptGraceMs' | 'stopGrace'> = {
  interruptGraceMs: 750,
  stopGrace: { inputEndMs: 500, termMs: 750 },
};

export function timingOf(
  {
    turnTimeoutMs,
    stallTimeoutMs,
  }: { readonly turnTimeoutMs: number | null; readonly stallTimeoutMs: number },
  responseTimeoutMs = RESPONSE_TIMEOUT_MS,
): Timing {
  const toolPulseMs = stallTimeoutMs === 0 ? null : Math.ceil(stallTimeoutMs / 4);
  return {
    responseTimeoutMs,
    silenceMs: turnTimeoutMs,
    ...STOP_TIMING,
    pulseMs: Math.min(MAX_PULSE_MS, toolPulseMs ?? MAX_PULSE_MS),
    toolPulseMs,
    tools: DEFAULT_TOOL_LIMITS,
  };
}
