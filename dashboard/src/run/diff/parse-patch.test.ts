import { expect, it } from 'vitest';
import { parsePatch } from './parse-patch.ts';

const PATCH = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ export function a() {
 same
-old line
+new line
 end
@@ -10 +10,2 @@
--- looks like a header
+++ looks like one too
+more
diff --git a/new file.md b/new file.md
new file mode 100644
index 0..1
--- /dev/null
+++ b/new file.md
@@ -0,0 +1 @@
+hello
\\ No newline at end of file
diff --git a/logo.png b/logo.png
deleted file mode 100644
Binary files a/logo.png and /dev/null differ
diff --git "a/tab\\there \\303\\274.txt" "b/tab\\there \\303\\274.txt"
index 1..2 100644
--- "a/tab\\there \\303\\274.txt"
+++ "b/tab\\there \\303\\274.txt"
@@ -1 +1 @@
-a
+b
`;

it('reads files, hunks and the numbers of lines', () => {
  const files = parsePatch(PATCH);
  expect(
    files.map(({ path, status, binary, added, removed }) => [path, status, binary, added, removed]),
  ).toEqual([
    ['src/a.ts', 'changed', false, 3, 2],
    ['new file.md', 'added', false, 1, 0],
    ['logo.png', 'removed', true, 0, 0],
    ['tab\there ü.txt', 'changed', false, 1, 1],
  ]);
  expect(files[0]?.hunks.map(({ heading }) => heading)).toEqual(['export function a() {', '']);
  expect(
    files[0]?.hunks[0]?.lines.map((line) => [line.kind, line.oldNumber, line.newNumber, line.text]),
  ).toEqual([
    ['same', 1, 1, 'same'],
    ['removed', 2, null, 'old line'],
    ['added', null, 2, 'new line'],
    ['same', 3, 3, 'end'],
  ]);
});

it('takes lines of a hunk for what they are, whatever they look like', () => {
  expect(parsePatch(PATCH)[0]?.hunks[1]?.lines.map(({ kind, text }) => [kind, text])).toEqual([
    ['removed', '-- looks like a header'],
    ['added', '++ looks like one too'],
    ['added', 'more'],
  ]);
  expect(parsePatch(PATCH)[1]?.hunks[0]?.lines.at(-1)).toMatchObject({ kind: 'note' });
});

it.each(['', 'nonsense\n@@ what', 'diff --git a/x b/x\n@@ -1,9 +1,9 @@\n cut'])('bears %j', (patch) => {
  expect(() => parsePatch(patch)).not.toThrow();
});
