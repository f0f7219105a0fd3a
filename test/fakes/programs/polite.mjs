// Ends by itself, with a last word, when its input ends.
process.stdin.resume();
process.stdin.on('end', () => process.stdout.write('goodbye\n'));
process.stdout.write('ready\n');
