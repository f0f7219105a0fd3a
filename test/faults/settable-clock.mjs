// Loaded before a worker (`node --import`): its wall clock and its sleep are what the file named in FAULT_CLOCK says,
// {"set": ms, "slept": ms}. A sleep is as Linux has it: the calendar and the uptime go on, the monotonic clock does not.
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const RealDate = Date;
const uptime = os.uptime.bind(os);
const path = process.env.FAULT_CLOCK;
let moved = { set: 0, slept: 0 };

function look() {
  try {
    moved = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // It is being written.
  }
}

const now = () => RealDate.now() + moved.set + moved.slept;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now = now;
};
os.uptime = () => uptime() + moved.slept / 1000;
syncBuiltinESMExports();
look();
setInterval(look, 10).unref();
