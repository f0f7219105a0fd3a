// Lives on whatever polite request it gets: end of input, SIGTERM, SIGINT, SIGHUP.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => process.stdout.write(`ignored ${signal}\n`));
}
process.stdin.resume();
process.stdin.on('end', () => process.stdout.write('ignored end of input\n'));
setInterval(() => {}, 60_000);
process.stdout.write('ready\n');
process.stderr.write('ready\n');
