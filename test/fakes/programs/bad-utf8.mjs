// Prints bytes that are no text, a character in two halves with a pause between, and a last line without an ending.
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

writeSync(1, Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a, 0xc3, 0x28, 0x0a, 0x00, 0x0a]));
const euro = Buffer.from('€\n');
writeSync(1, euro.subarray(0, 2));
await delay(50);
writeSync(1, euro.subarray(2));
writeSync(1, Buffer.from([0x65, 0x6e, 0x64, 0xe2, 0x82]));
