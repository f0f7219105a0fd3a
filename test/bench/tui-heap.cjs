// Loaded into the board that is measured: at a signal it collects garbage and writes down what is left.
const { writeFileSync } = require('node:fs');

process.on('SIGUSR2', () => {
  globalThis.gc();
  writeFileSync(process.env.BENCH_HEAP_FILE, String(process.memoryUsage().heapUsed));
});
