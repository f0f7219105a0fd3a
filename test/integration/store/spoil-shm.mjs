import { spawnSync } from 'node:child_process';
import { openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';

/**
 * Does to the file that SQLite may keep beside a journal whatever it can, without end: `node program journal`. Says `spoiled`
 * each time it has done all of it once.
 */
const path = `${process.argv[2]}-shm`;
const deeds = [
  () => truncateSync(path, 0),
  () => truncateSync(path, 4_096),
  () => writeFileSync(path, Buffer.alloc(32_768, 0xee)),
  () => truncateSync(path, 1),
  () => rmSync(path),
  () => writeFileSync(path, 'not what SQLite wrote'),
  () => openSync(path, 'wx'),
];
/** Only root may, and not on every file system; then the rest has to do. */
const fix = (sign) => spawnSync('chattr', [`${sign}i`, path], { stdio: 'ignore' });

process.on('SIGTERM', () => {
  fix('-');
  process.exit();
});
for (;;) {
  for (let count = 0; count < 200; count += 1) {
    try {
      deeds[count % deeds.length]?.();
    } catch {
      // It is not there, or it is there already.
    }
  }
  fix('+');
  await new Promise((resolve) => setTimeout(resolve, 5));
  fix('-');
  writeSync(1, 'spoiled\n');
}
