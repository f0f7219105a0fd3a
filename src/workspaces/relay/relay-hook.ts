/**
 * Where a workspace's relay is, below its git directory: a bare repository that `git push` reaches instead of the remote.
 * Workspaces of earlier versions have it under the same name.
 */
export const RELAY = ['aiops', 'door.git'] as const;

/** Quoted for a shell; branch names hold no quote, but nothing here relies on it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The relay's `pre-receive`: plain sh, run by the agent's own git inside its sandbox. It leaves the ref to be pushed as a
 * file, and waits for the worker to answer with one. It decides nothing: what an agent changes here changes nothing there.
 */
export function relayHook(branch: string): string {
  return `#!/bin/sh
# Passes a push on to the worker, which carries the branch of this issue to the remote, and waits for its answer.
branch=${quoted(`refs/heads/${branch}`)}
say() { printf '%s\\n' "$*" >&2; }
refuse() {
  say "$1"
  say "Only the branch of this issue can be pushed: git push origin HEAD:$branch"
  exit 1
}
count=0
while read -r old new ref; do
  count=$((count + 1))
  test "$ref" = "$branch" || refuse "$ref is not this issue's to push."
  case $new in *[!0]*) ;; *) refuse "The branch of this issue cannot be deleted by a push." ;; esac
  from=$old to=$new
done
test "$count" -eq 1 || refuse "One branch at a time, please."
how=plain
case $from in
  *[!0]*) git merge-base --is-ancestor "$from" "$to" 2>/dev/null || how=force ;;
esac
mkdir -p requests answers
draft=$(mktemp requests/.XXXXXXXX) || exit 1
name=\${draft#requests/.}
printf '%s %s %s\\n' "$to" "$branch" "$how" >"$draft"
mv "$draft" "requests/$name"
seen= still=0
until test -f "answers/$name"; do
  sleep 0.2 2>/dev/null || sleep 1
  beat=$(cat beat 2>/dev/null)
  if test "$beat" = "$seen"; then still=$((still + 1)); else seen=$beat still=0; fi
  if test "$still" -ge 150; then
    if rm "requests/$name" 2>/dev/null; then
      say "The worker did not take the push, so nothing was pushed. Is the run of this issue still going on?"
    else
      say "The worker stopped in the middle of the push: whether the remote has the branch is not known."
      say "Push again when the run of this issue goes on."
    fi
    exit 1
  fi
done
{
  read -r verdict
  while IFS= read -r line; do say "$line"; done
} <"answers/$name"
rm -f "answers/$name"
test "$verdict" = ok
`;
}
