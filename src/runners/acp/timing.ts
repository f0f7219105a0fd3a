import type { AcpConfig } from '../../config/config.ts';
import { type Timing as CommonTiming, timingOf as commonTimingOf } from '../timing.ts';

export interface Timing extends CommonTiming {
  /** How often a tool is reported that runs in silence; null when silence stops no run. */
  readonly toolPulseMs: number | null;
}

export function timingOf(acp: AcpConfig): Timing {
  const { stallTimeoutMs } = acp;
  return {
    ...commonTimingOf(acp),
    toolPulseMs: stallTimeoutMs === 0 ? null : Math.ceil(stallTimeoutMs / 4),
  };
}
