/** What each shell runs. They ask `madang complete`, so that they never need an update. */
export const scripts = {
  bash: `_madang() {
  local IFS=$'\\n' found
  found=$(madang complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _madang madang
`,
  zsh: `#compdef madang
_madang() {
  local line
  local -a found
  for line in "\${(@f)$(madang complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${line/$'\\t'/:}")
  done
  if (( \${#found} )); then _describe madang found; else _files; fi
}
compdef _madang madang
`,
  fish: `function __madang_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (madang complete -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c madang -f -a '(__madang_complete)'
`,
} as const;
