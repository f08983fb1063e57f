import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Programs of the real system that scripts may call; each is found in the PATH of the test. */
const PROGRAMS =
  'awk basename cat cut dirname find grep head ls mkdir mv printf readlink rm sed seq sort tail tr true umask wc'

/** Logs its arguments, each terminated by NUL, and the call by another NUL. `pwn` is the program of the attacker. */
const LOG = (name: string) => `#!/bin/sh
printf '%s\\0' ${name} "$@" >> "$CALLS"
printf '\\0' >> "$CALLS"
`

const STUBS = [
  'pwn',
  'virsh',
  'mdevctl',
  'systemctl',
  'kubectl',
  'modprobe',
  'docker',
  'curl',
  'sudo',
  'sleep',
]

/**
 * Functions instead of programs, which is faster. `openstack` returns what lets a script continue. `ssh` hands its command to a
 * second shell, as sshd does, with the host's paths below a separate folder.
 */
const PRELUDE = `
log() { printf '%s\\0' "$@" >> "$CALLS"; printf '\\0' >> "$CALLS"; }
openstack() {
  log openstack "$@"
  case "$*" in
    *"compute service list"*) echo enabled None ;;
    *"resource provider list"*) echo 00000000-0000-4000-8000-000000000abc ;;
    *"resource provider show"*) cat "$NAMES/$4" 2>/dev/null || echo none ;;
    *"resource provider inventory list"*) echo VGPU 4 ;;
    *"trait list"*) printf 'CUSTOM_FOREIGN\\nCUSTOM_OLD\\n' ;;
  esac
}
ssh() {
  log ssh "$@"
  while case "$1" in -*) true ;; *) false ;; esac; do shift; done
  shift
  "$SHELL_NAME" -c "$(printf '%s' "$*" | sed -e "s#\\(^\\|[ '\\">=]\\)/\\(sys\\|etc\\|run\\|var\\|usr/lib/nvidia\\)/#\\1$HOST_ROOT/\\2/#g")"
}
sleep() { :; }
`

/** Every step alone, so that one that stops hides none, then all of them in order, and the same backwards. */
const DRIVER = `
set -- run
for direction in '' undo; do
  n=1
  while [ "$n" -le "$STEPS" ]; do
    ( set -- $direction only "$n"; . "$SCRIPT" ) </dev/null || :
    n=$((n + 1))
  done
  ( set -- $direction; . "$SCRIPT" ) </dev/null || :
done
`

export type ShellName = 'dash' | 'bash'

export type SandboxRun = {
  /** The words of each program that was called. */
  calls: string[][]
  /** Files below the sandbox that were not there before, relative to it. */
  files: string[]
  output: string
}

export type Sandbox = {
  /** A change's script with its steps; null: a text with commands, which is run once. */
  run: (input: { script: string; steps: number | null; shell: ShellName }) => SandboxRun
  /** Names of resource providers by uuid, as \`openstack\` is to tell them. */
  nameProviders: (names: ReadonlyMap<string, string>) => void
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
    path.relative(folder, path.join(entry.parentPath, entry.name)),
  )

const whereIs = (program: string): string | null =>
  (process.env.PATH ?? '')
    .split(':')
    .map((folder) => path.join(folder, program))
    .find((file) => spawnSync('test', ['-x', file]).status === 0) ?? null

/** A shell without anything of the machine: an empty environment, programs by name, and stubs that log their words. */
export const openSandbox = (folder: string): Sandbox => {
  const at = (...parts: string[]) => path.join(folder, ...parts)
  for (const part of ['bin', 'home', 'names']) mkdirSync(at(part), { recursive: true })
  for (const program of PROGRAMS.split(' ')) {
    const file = whereIs(program)
    if (file !== null) symlinkSync(file, at('bin', program))
  }
  for (const stub of STUBS) {
    writeFileSync(at('bin', stub), LOG(stub))
    chmodSync(at('bin', stub), 0o755)
  }
  writeFileSync(at('prelude.sh'), PRELUDE)
  writeFileSync(at('driver.sh'), `${PRELUDE}${DRIVER}`)
  const shells = { dash: whereIs('dash') ?? '/bin/sh', bash: whereIs('bash') ?? '/bin/sh' }

  return {
    nameProviders: (names) => {
      for (const [uuid, name] of names)
        if (/^[0-9a-f-]{36}$/.test(uuid)) writeFileSync(at('names', uuid), name)
    },
    run: ({ script, steps, shell }) => {
      for (const part of ['home', 'host']) {
        rmSync(at(part), { recursive: true, force: true })
        mkdirSync(at(part), { recursive: true })
      }
      for (const part of ['sys', 'etc', 'run', 'var']) mkdirSync(at('host', part))
      writeFileSync(at('calls'), '')
      // A test does not press Enter.
      writeFileSync(at('script.sh'), script.replaceAll('read -r _ </dev/tty', ':'))
      const before = new Set(filesBelow(folder))
      const main = steps === null ? `${PRELUDE}\n( . "$SCRIPT" ) || :` : `. '${at('driver.sh')}'`
      const { stdout, stderr, error } = spawnSync(shells[shell], ['-c', main], {
        cwd: at('home'),
        // Nothing of the test's own environment.
        env: {
          NODE_ENV: 'test',
          PATH: at('bin'),
          HOME: at('home'),
          CALLS: at('calls'),
          NAMES: at('names'),
          HOST_ROOT: at('host'),
          SCRIPT: at('script.sh'),
          SHELL_NAME: shells[shell],
          STEPS: String(steps ?? 0),
          GUEST_XML: '/etc/libvirt/qemu',
        },
        encoding: 'utf8',
        input: '',
        timeout: 60_000,
      })
      if (error !== undefined) throw error
      const calls = readFileSync(at('calls'), 'utf8')
        .split('\0\0')
        .filter((call) => call !== '')
        .map((call) => call.split('\0'))
      return {
        calls,
        files: filesBelow(folder).filter((file) => !before.has(file)),
        output: `${stdout}${stderr}`,
      }
    },
  }
}
