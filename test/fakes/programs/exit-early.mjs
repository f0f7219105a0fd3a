// Ends before it has read anything.
process.exit(Number(process.argv[2] ?? 0));
