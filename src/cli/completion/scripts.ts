export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * What a shell has to know: to ask the program for the next word. The program answers from its own commands, so a script
 * that was installed once is never out of date. Where it has no answer the shell offers files.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# aiops completion for bash
_aiops_completion() {
  local IFS=$'\\n'
  COMPREPLY=($(aiops __complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o bashdefault -o default -F _aiops_completion aiops
`,
  zsh: `#compdef aiops
# aiops completion for zsh
_aiops() {
  local -a found
  found=("\${(@f)$(aiops __complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then
    _describe 'aiops' found -M 'm:{a-zA-Z}={A-Za-z}'
  else
    _files
  fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
compdef _aiops aiops
`,
  fish: `# aiops completion for fish
function __aiops_completion
    set -l words (commandline -opc) (commandline -ct)
    set -l found (aiops __complete fish -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c aiops -f -a '(__aiops_completion)'
`,
};

/** How a shell takes it up; commands to type. */
export const INSTALL: Readonly<Record<Shell, string>> = {
  bash: 'aiops completion bash >> ~/.bashrc',
  zsh: 'aiops completion zsh >> ~/.zshrc',
  fish: 'aiops completion fish > ~/.config/fish/completions/aiops.fish',
};
