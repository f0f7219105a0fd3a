const SYSTEMS = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]);
const PROCESSORS = new Set([
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]);
const LIBRARIES = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

/** Optional dependencies that no entry of the lockfile stands for, as `[package, name, version]`. */
export function missingOptional({ packages }) {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(
        ([name]) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      )
      .map(([name, version]) => [path, name, version]),
  );
}

/** Adds an entry for each missing platform package, so that npm knows it and skips it elsewhere. Returns their names. */
export function addMissingPlatforms(lockfile) {
  const added = missingOptional(lockfile).map(([path, name, version]) => {
    const { dev = false } = lockfile.packages[path];
    lockfile.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev ? { dev: true } : {}),
      optional: true,
    };
    return name;
  });
  const entries = Object.entries(lockfile.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  lockfile.packages = Object.fromEntries(entries);
  return added;
}

/** `binding-linux-x64-musl` is for Linux on x64 with musl. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-');
  const os = words.filter((word) => SYSTEMS.has(word));
  const cpu = words.filter((word) => PROCESSORS.has(word));
  const libc = words.flatMap((word) => LIBRARIES[word] ?? []);
  if (os.length + cpu.length === 0)
    throw new Error(`${name} does not name its platform; add it to the lockfile by hand`);
  return {
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    ...(os.length > 0 ? { os } : {}),
  };
}
