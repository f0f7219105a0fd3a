// Writes <megabytes> to stdout (1) or stderr (2) as fast as the reader takes them; the last argument is the line length,
// 0 for no newline at all. Ends with the line `done` on stdout.
import { writeSync } from 'node:fs';

const [megabytes, fd, lineLength] = process.argv.slice(2).map(Number);
const block = Buffer.alloc(1024 * 1024, 'x');
if (lineLength > 0) for (let at = lineLength; at < block.length; at += lineLength + 1) block[at] = 10;
for (let count = 0; count < megabytes; count += 1) {
  for (let sent = 0; sent < block.length; ) sent += writeSync(fd, block, sent);
}
writeSync(1, '\ndone\n');
