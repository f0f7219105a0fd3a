import type { AcpConfig } from '../../config/config.ts';
import type { TerminateGrace } from '../../process/child.ts';
import { DEFAULT_TOOL_LIMITS, type ToolLimits } from '../tool-desk.ts';

/** Every wait of a session. */
export interface Timing {
  /** For each answer at the start. */
  readonly responseTimeoutMs: number;
  /** The longest silence within a turn. */
  readonly silenceMs: number;
  /** How long an interrupted turn may take to end by itself before the process is ended. */
  readonly interruptGraceMs: number;
  readonly stopGrace: TerminateGrace;
  /** How often a lively agent is reported that has nothing to tell. */
  readonly pulseMs: number;
  /** How often a tool is reported that runs in silence; null when silence stops no run. */
  readonly toolPulseMs: number | null;
  readonly tools: ToolLimits;
}

const LONGEST_PULSE_MS = 5_000;

export function timingOf({ turnTimeoutMs, stallTimeoutMs }: AcpConfig): Timing {
  return {
    responseTimeoutMs: 60_000,
    silenceMs: turnTimeoutMs,
    interruptGraceMs: 5_000,
    stopGrace: { inputEndMs: 2_000, termMs: 5_000 },
    pulseMs:
      stallTimeoutMs === 0 ? LONGEST_PULSE_MS : Math.min(LONGEST_PULSE_MS, Math.ceil(stallTimeoutMs / 4)),
    toolPulseMs: stallTimeoutMs === 0 ? null : Math.ceil(stallTimeoutMs / 4),
    tools: DEFAULT_TOOL_LIMITS,
  };
}
