process.stdout.write(`${JSON.stringify(process.env)}\n`);
