import { shellQuote } from './shell-quote'
import { typeChangeFunctions } from './type-change/runbook-functions'
import type { PlannedStep } from './types'

type Runbook = { id: number; title: string; cloud: string; steps: readonly PlannedStep[] }

/** Placement replaces a provider's list of traits whole: the functions read it, merge, and write it. */
const FUNCTIONS = String.raw`# Puts the second trait list's first on a provider and takes the rest off; every other trait stays.
check_name() {
  name=$(openstack resource provider show "$1" -f value -c name)
  [ "$name" = "$2" ] || { echo "$1 is $name and not $2: plan again." >&2; exit 1; }
}
# write_traits UUID DROP KEEP: writes what the provider has, without the lines of DROP, with those of KEEP.
write_traits() {
  uuid=$1 drop=$2 keep=$3
  now=$(openstack resource provider trait list "$uuid" -f value -c name)
  set --
  for trait in $(printf '%s\n%s\n' "$now" "$keep" | sort -u); do
    case " $drop " in *" $trait "*) ;; *) set -- "$@" --trait "$trait" ;; esac
  done
  openstack resource provider trait set "$@" "$uuid"
}
# retag UUID NAME TRAIT [OTHER...]: puts TRAIT on and takes each OTHER off.
retag() {
  check_name "$1" "$2"
  uuid=$1 trait=$3
  shift 3
  write_traits "$uuid" "$*" "$trait"
}
# untag UUID NAME TRAIT [OTHER...]: takes TRAIT off and puts each OTHER back.
untag() {
  check_name "$1" "$2"
  uuid=$1 trait=$3
  shift 3
  write_traits "$uuid" "$trait" "$(printf '%s\n' "$@")"
}
# on_host HOST COMMANDS: runs them there as root.
on_host() {
  ssh "root@$1" "$2"
}
# show_totals NAME...: what Placement has of each provider that is there.
show_totals() {
  for name in "$@"; do
    uuid=$(openstack resource provider list --name "$name" -f value -c uuid)
    [ -z "$uuid" ] || openstack resource provider inventory list "$uuid" -f value -c resource_class -c total
  done
}`

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

/**
 * The change as a script for a POSIX shell with python-openstackclient and osc-placement; `undo` as first argument runs it
 * backwards.
 */
export const renderShellRunbook = ({ id, title, cloud, steps }: Runbook): string => {
  const say = (step: PlannedStep, at: number, what: string) =>
    `  echo ${shellQuote(`${what}${at + 1}/${steps.length} ${oneLine(step.title)}`)}`
  const forward = steps.flatMap((step, at) => [say(step, at, ''), `  ${step.command}`])
  const numbered = steps.map((step, at) => ({ step, at })).toReversed()
  const back = numbered.flatMap(({ step, at }) => [say(step, at, 'undo '), `  ${step.undoCommand}`])
  return [
    '#!/bin/sh',
    `# Change ${id} of ${oneLine(cloud)}: ${oneLine(title)}`,
    '# Needs python-openstackclient, osc-placement and an admin of a project in OS_CLOUD.',
    '# Run it without arguments, or with "undo" to take it back.',
    'set -eu',
    `export OS_PLACEMENT_API_VERSION="\${OS_PLACEMENT_API_VERSION:-1.33}"`,
    '',
    FUNCTIONS,
    typeChangeFunctions(steps.flatMap(({ command, undoCommand }) => [command, undoCommand])),
    '',
    'forward() {',
    ...(forward.length === 0 ? ['  :'] : forward),
    '}',
    'undo() {',
    ...(back.length === 0 ? ['  :'] : back),
    '}',
    `case "\${1:-}" in`,
    '  "") forward ;;',
    '  undo) undo ;;',
    '  *) echo "Usage: $0 [undo]" >&2; exit 2 ;;',
    'esac',
    '',
  ].join('\n')
}

/** The change as Markdown for a person: each step with what it needs, its call and its check, and the script at the end. */
export const renderMarkdownRunbook = (runbook: Runbook): string => {
  const { id, title, cloud, steps } = runbook
  const sections = steps.flatMap((step, at) => [
    `## ${at + 1}. ${oneLine(step.title)}`,
    '',
    `- Done by: ${step.doer}`,
    `- The plan saw: ${oneLine(step.sees)}`,
    `- Needs: ${step.precondition}`,
    `- Check: ${step.check}`,
    `- Undo: ${step.undo}`,
    '',
    '```',
    ...step.calls,
    '```',
    '',
  ])
  return [
    `# Change ${id}: ${oneLine(title)}`,
    '',
    `Cloud: ${oneLine(cloud)}`,
    '',
    ...sections,
    '## As a script',
    '',
    '```sh',
    renderShellRunbook(runbook).trimEnd(),
    '```',
    '',
  ].join('\n')
}
