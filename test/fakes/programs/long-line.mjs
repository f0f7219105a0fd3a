// Prints one line of <bytes>, then `after`.
const bytes = Number(process.argv[2]);
process.stdout.write(`before\n${'x'.repeat(bytes)}\nafter\n`);
