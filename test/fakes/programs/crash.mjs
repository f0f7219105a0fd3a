// Ends badly: `throw` an exception, or `kill` itself with SIGSEGV.
process.stdout.write('working\n');
if (process.argv[2] === 'kill') process.kill(process.pid, 'SIGSEGV');
else throw new Error('something broke');
