// Ends the orphans of <owner> with the library at <module>, then prints whom it ended.
const [, , module, owner] = process.argv;
const { endOrphans } = await import(module);
process.stdout.write(`${JSON.stringify(await endOrphans(owner))}\n`);
