// Never reads its input.
setInterval(() => {}, 60_000);
process.stdout.write('ready\n');
