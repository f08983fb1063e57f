import { allSteps } from '@/lib/util/all-steps'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { markdownCode, markdownCodeInSteps, markdownText, md } from '@/lib/util/encode/markdown'
import { sh, shellComment, shellProgram, shellWord } from '@/lib/util/encode/shell'
import type { Step } from '../step'
import { BASE_FUNCTIONS, typeChangeFunctions } from './runbook-functions'

type Runbook = { id: number; title: string; cloud: string; steps: readonly Step<unknown>[] }

/** Placement replaces a provider's list of traits as a whole: the functions read it, merge, and write it. */
const FUNCTIONS = shellProgram`# Puts the second trait list's first on a provider and takes the rest off; every other trait stays.
check_name() {
  name=$(openstack resource provider show "$1" -f value -c name)
  [ "$name" = "$2" ] || { say "$1 is $name and not $2: plan again." >&2; exit 1; }
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
    uuid=$(openstack resource provider list --name="$name" -f value -c uuid)
    [ -z "$uuid" ] || openstack resource provider inventory list "$uuid" -f value -c resource_class -c total
  done
}`

const HOST_NOTES = [
  sh`# Steps on hosts use "ssh root@HOST". RESTART_NOVA is the command that restarts nova-compute there if it`,
  sh`# is different, for example "docker restart nova_compute". GUEST_XML lists the folders of guest XML if libvirt uses others.`,
]

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

/**
 * Which steps, in which direction, and where the script stopped. A function in a condition continues after a failure, so
 * none is used in one.
 */
const CHOICE = sh`asked() { [ "$1" -ge "$first_step" ] && [ "$1" -le "$last_step" ]; }
begin() {
  in_hand=$1
  say "$direction $1/$steps: $2"
}
usage() {
  say "Usage: $0 [undo] [from STEP | only STEP]" >&2
  exit 2
}
ended() {
  [ "$1" = 0 ] || [ -z "$in_hand" ] || say "Stopped at step $in_hand. Continue with: sh $0$again from $in_hand" >&2
}
direction=forward again= in_hand=
if [ "\${1:-}" = undo ]; then
  direction=undo again=' undo'
  shift
fi
first_step=1 last_step=$steps
case "\${1:-}" in
  '') ;;
  from | only)
    case "\${2:-}" in '' | *[!0-9]*) usage ;; esac
    if [ "$1" = only ] || [ "$direction" = forward ]; then first_step=$2; fi
    if [ "$1" = only ] || [ "$direction" = undo ]; then last_step=$2; fi
    ;;
  *) usage ;;
esac
trap 'ended $?' EXIT
$direction`

const stepBlock = (text: string, number: number, command: Encoded<'shell'>): Encoded<'shell'> =>
  joinEncoded(
    [
      sh`  if asked ${number}; then`,
      sh`    begin ${number} ${shellWord(oneLine(text))}`,
      sh`    ${command}`,
      sh`  fi`,
    ],
    '\n',
  )

type Numbered = { step: Step<unknown>; number: number }

function* functionLines(
  name: Encoded<'shell'>,
  steps: readonly Numbered[],
  blockOf: (numbered: Numbered) => Encoded<'shell'>,
): Generator<void, Encoded<'shell'>[]> {
  const lines = [sh`${name}() {`]
  for (const numbered of steps) {
    lines.push(blockOf(numbered))
    yield
  }
  return [...lines, ...(steps.length === 0 ? [sh`  :`] : []), sh`}`]
}

function* neededFunctions(steps: Runbook['steps']): Generator<void, Encoded<'shell'>> {
  for (const { command, undoCommand } of steps) {
    const functions = typeChangeFunctions([command, undoCommand])
    if (functions !== '') return functions
    yield
  }
  return sh``
}

/** A step is one step of the change. */
function* shellParts({ id, title, cloud, steps }: Runbook): Generator<void, Encoded<'shell'>[]> {
  const numbered = steps.map((step, index) => ({ step, number: index + 1 }))
  const functions = yield* neededFunctions(steps)
  const forward = functionLines(sh`forward`, numbered, ({ step, number }) =>
    stepBlock(step.title, number, step.command),
  )
  const undo = functionLines(sh`undo`, numbered.toReversed(), ({ step, number }) =>
    stepBlock(`${step.title}. ${step.undo}`, number, step.undoCommand),
  )
  return [
    sh`#!/bin/sh`,
    shellComment(`Change ${id} of ${oneLine(cloud)}: ${oneLine(title)}`),
    sh`# Needs python-openstackclient, osc-placement and an admin of a project in OS_CLOUD.`,
    ...(functions === '' ? [] : HOST_NOTES),
    sh`# Run it without arguments, or with "undo" to revert it. It stops at the first step that fails:`,
    sh`# "from 5" continues with step 5, "undo from 5" reverts the steps from 5 down to 1, "only 5" runs one.`,
    sh`set -euf`,
    sh`export OS_PLACEMENT_API_VERSION="\${OS_PLACEMENT_API_VERSION:-1.33}"`,
    sh``,
    BASE_FUNCTIONS,
    FUNCTIONS,
    functions,
    sh``,
    ...(yield* forward),
    ...(yield* undo),
    sh`steps=${steps.length}`,
    CHOICE,
  ]
}

/**
 * The change as a script for a POSIX shell with python-openstackclient and osc-placement. `undo` as first argument runs
 * it backwards; it stops at the first step that fails, and `from` continues there.
 */
export function* shellRunbookInSteps(runbook: Runbook): Generator<void, Encoded<'shell'>> {
  return joinEncoded([...(yield* shellParts(runbook)), sh``], '\n')
}

/** The same at once. */
export const renderShellRunbook = (runbook: Runbook): Encoded<'shell'> =>
  allSteps(shellRunbookInSteps(runbook))

const text = (value: string): Encoded<'markdown'> => markdownText(oneLine(value))

const section = (step: Step<unknown>, index: number): Encoded<'markdown'> =>
  joinEncoded(
    [
      md`## ${index + 1}. ${text(step.title)}`,
      md``,
      md`- Done by: ${text(step.doer)}`,
      md`- State at planning: ${text(step.sees)}`,
      md`- Needs: ${text(step.precondition)}`,
      md`- Check: ${text(step.check)}`,
      md`- Undo: ${text(step.undo)}`,
      md``,
      markdownCode(joinEncoded(step.calls, '\n')),
      md``,
    ],
    '\n',
  )

/** The change as Markdown for a person: each step with what it needs, its call and its check, and the script at the end. */
export function* markdownRunbookInSteps(runbook: Runbook): Generator<void, Encoded<'markdown'>> {
  const { id, title, cloud, steps } = runbook
  const parts = [md`# Change ${id}: ${text(title)}`, md``, md`Cloud: ${text(cloud)}`, md``]
  for (const [index, step] of steps.entries()) {
    parts.push(section(step, index))
    yield
  }
  const code = yield* markdownCodeInSteps(yield* shellParts(runbook), 'sh')
  return joinEncoded([...parts, md`## As a script`, md``, ...code, md``], '\n')
}

/** The same at once. */
export const renderMarkdownRunbook = (runbook: Runbook): Encoded<'markdown'> =>
  allSteps(markdownRunbookInSteps(runbook))
