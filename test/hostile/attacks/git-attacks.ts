import { type Attack, inShell, leaving, type Surroundings } from './attack.ts';

const INIT = 'git init -q && git -c user.name=E -c user.email=e@x.invalid commit -q --allow-empty -m x';
const SETTINGS = [
  ...['core.fsmonitor', 'core.sshCommand', 'core.editor', 'core.pager', 'core.alternateRefsCommand'],
  ...['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.external', 'diff.evil.command'],
  ...['diff.evil.textconv', 'merge.evil.driver', 'credential.helper', 'gpg.program', 'core.hooksPath'],
  ...['uploadpack.packObjectsHook', 'remote.origin.uploadpack', 'sequence.editor', 'core.gitProxy'],
];

/** Every executing setting in one repository at a time. */
export function executionAttacks({ program }: Surroundings): readonly Attack[] {
  const arm = [
    ...SETTINGS.map((key) => `git config ${key} ${program}`),
    'printf "* filter=evil diff=evil merge=evil\\n" >> .gitattributes',
    'for h in post-checkout post-index-change reference-transaction pre-commit fsmonitor-watchman; do ' +
      `printf '#!/bin/sh\\n${program}\\n' > "$(git rev-parse --git-dir)/hooks/$h"; ` +
      'chmod +x "$(git rev-parse --git-dir)/hooks/$h"; done',
    'echo edited > file',
  ].join(' && ');
  const nested = (folder: string): string =>
    `mkdir -p ${folder} && cd ${folder} && ${INIT} && mkdir -p .git/hooks && ${arm}`;
  const gitlink = (folder: string): string =>
    `(${nested(folder)}) && git update-index --add --cacheinfo 160000,$(git -C ${folder} rev-parse HEAD),${folder}`;
  const odd = `"$(printf 'o\\377dd')"`;
  const rows = [
    { name: 'every setting in the repository itself', script: `mkdir -p .git/hooks && ${arm}` },
    { name: 'every setting in an embedded clone', script: nested('vendor') },
    { name: 'every setting in a submodule', script: gitlink('libs/sub') },
    { name: 'every setting in an embedded clone of an odd name', script: nested(odd) },
    { name: 'every setting in a submodule of an odd name', script: gitlink(odd) },
    { name: 'every setting far below', script: nested('a/b/c/d/e/f/g/h/i/j/k') },
    { name: 'every setting in a clone in a clone', script: `${nested('one')} && ${nested('two')}` },
    { name: 'every setting in an ignored clone', script: `echo hid/ > .gitignore && (${nested('hid')})` },
    {
      name: 'every setting in a bare repository',
      script: `git init -q --bare bare && cd bare && ${SETTINGS.map((key) => `git config ${key} ${program}`).join(' && ')}`,
    },
    { name: 'every setting in a worktree', script: `git worktree add -q tree && cd tree && ${arm}` },
    {
      name: 'settings by include',
      script: `git config -f x core.fsmonitor ${program}; git config include.path ../x; git config includeIf.gitdir:/**.path ../x`,
    },
    {
      name: 'settings of a worktree',
      script: `git config extensions.worktreeConfig true; git config --worktree core.fsmonitor ${program}`,
    },
    {
      name: 'an address that is a program',
      script: `git config remote.origin.url "ext::${program}"; git config protocol.ext.allow always`,
    },
    {
      name: 'a submodule that is a program',
      script: `printf '[submodule "x"]\\n\\tpath = x\\n\\turl = ext::${program}\\n\\tupdate = !${program}\\n' > .gitmodules`,
    },
    {
      name: 'files that are fetched when they are missed',
      script: `git config extensions.partialClone evil; git config remote.evil.url "ext::${program}"; git config remote.evil.promisor true; rm -rf .git/objects/info/alternates`,
    },
    {
      name: 'an address rewritten to a program',
      script: `git config url.ext::${program}.insteadOf file:; git config protocol.ext.allow always`,
    },
    {
      name: 'traces written elsewhere',
      script: `git config trace2.eventTarget ${program}.trace; git config trace2.normalTarget ${program}.trace`,
    },
  ];
  return rows.map(({ name, script }) => leaving(name, script));
}

/** Ways to have another repository of the host read, bundled, mirrored or mounted. */
export function theftAttacks({ foreign, foreignHead, mirrorRoot, root }: Surroundings): readonly Attack[] {
  const stolen = `echo ${foreignHead} > .git/refs/heads/stolen`;
  const rows = [
    {
      name: '.git is a file that names another repository',
      script: `rm -rf .git && echo 'gitdir: ${foreign}/.git' > .git`,
    },
    { name: '.git is a link to another repository', script: `rm -rf .git && ln -s ${foreign}/.git .git` },
    { name: '.git made anew', script: `rm -rf .git && ${INIT}` },
    { name: '.git moved and pointed at', script: 'mv .git real && echo "gitdir: real" > .git' },
    {
      name: '.git is a worktree of another repository',
      script: `rm -rf .git && mkdir w && printf 'ref: refs/heads/main\\n' > w/HEAD && echo ${foreign}/.git > w/commondir && echo 'gitdir: w' > .git`,
    },
    {
      name: 'alternates of another repository',
      script: `echo ${foreign}/.git/objects >> .git/objects/info/alternates; ${stolen}`,
    },
    {
      name: 'alternates of all mirrors',
      script: `printf '${mirrorRoot}\\n${root}\\n/\\n' >> .git/objects/info/alternates`,
    },
    {
      name: 'objects that are a link',
      script: `rm -rf .git/objects && ln -s ${foreign}/.git/objects .git/objects; ${stolen}`,
    },
    {
      name: 'packs that are a link',
      script: `rm -rf .git/objects/pack && ln -s ${foreign}/.git/objects/pack .git/objects/pack; ${stolen}`,
    },
    {
      name: 'one folder of objects that is a link',
      script: `ln -s ${foreign}/.git/objects/${foreignHead.slice(0, 2)} .git/objects/; ${stolen}`,
    },
    {
      name: 'one object that is a link',
      script: `mkdir -p .git/objects/${foreignHead.slice(0, 2)}; ln -s ${foreign}/.git/objects/${foreignHead.slice(0, 2)}/${foreignHead.slice(2)} .git/objects/${foreignHead.slice(0, 2)}/; ${stolen}`,
    },
    { name: 'refs that are a link', script: `rm -rf .git/refs && ln -s ${foreign}/.git/refs .git/refs` },
    { name: 'a head that is a link', script: `rm .git/HEAD && ln -s ${foreign}/.git/HEAD .git/HEAD` },
    {
      name: 'a nested repository that is elsewhere',
      script: `mkdir n && echo 'gitdir: ${foreign}/.git' > n/.git`,
    },
    { name: 'a nested repository that is a link', script: `mkdir n && ln -s ${foreign}/.git n/.git` },
    { name: 'another work tree', script: `git config core.worktree ${foreign}` },
    {
      name: 'replaced objects',
      script: `git replace -f HEAD ${foreignHead} || mkdir -p .git/refs/replace && echo ${foreignHead} > .git/refs/replace/$(git rev-parse HEAD)`,
    },
    {
      name: 'three hundred repositories',
      script: `for n in $(seq 300); do mkdir -p r/$n/.git/objects r/$n/.git/refs && echo 'ref: refs/heads/main' > r/$n/.git/HEAD; done`,
    },
    {
      name: 'thirty thousand references',
      script:
        "python3 -c \"\nimport os\nos.makedirs('.git/refs/heads/many')\nfor n in range(30000): open('.git/refs/heads/many/%d' % n, 'w').write('0'*40)\"",
    },
    { name: 'a broken index', script: 'head -c 100000 /dev/urandom > .git/index' },
    {
      name: 'a broken pack',
      script:
        'head -c 100000 /dev/urandom > .git/objects/pack/pack-0123456789012345678901234567890123456789.pack',
    },
  ];
  return rows.map(({ name, script }) => leaving(name, script));
}

/** Reads of the agent itself; what it finds goes to `loot`. */
export function readAttacks(s: Surroundings): readonly Attack[] {
  const read = inShell;
  return [
    read("another run's files", `cat ${s.neighbour}/*`),
    read('all workspaces', `ls -laR ${s.root}; cat ${s.root}/*/*`),
    read('the state of the worker', `cat ${s.root}/.aiops/*; cat ${s.root}/.aiops/*/*`),
    read('another repository', `cat ${s.foreign}/*; git -C ${s.foreign} log -p`),
    read('the mirrors', `grep -r . ${s.mirrorRoot}`),
    read('the home of the user', `cat ${s.home}/.secret ${s.home}/.ssh/* ${s.home}/.netrc`),
    read('environments of other processes', 'cat /proc/*/environ'),
    read('command lines of other processes', 'cat /proc/*/cmdline | tr "\\0" " "'),
    read('the files of other processes', 'cat /proc/1/root/etc/shadow; ls -la /proc/*/fd'),
    read('host files', 'cat /etc/shadow /root/.bash_history /var/log/*'),
    read('a way up', `cd ..; ls -la; cat ../*/* ../../*/*`),
    read('a device', 'cat /dev/sda /dev/mem /dev/kmsg | head -c 1000'),
  ];
}
