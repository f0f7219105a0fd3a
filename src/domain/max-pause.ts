/** Nothing that a server says keeps it from being asked for longer: windows are an hour at most, and clocks can be wrong. */
export const MAX_PAUSE_MS = 3_600_000;
