// Brings a fresh clone to a runnable state. Plain JavaScript without dependencies: it runs before `npm ci`.
export { ensureBuilt } from './lib/build.mjs';
export { ensureInstalled } from './lib/install.mjs';
