import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { LivingHost } from '@/simulator/host/living-host'
import type { OpenStackSimulator } from '@/simulator/openstack/start-openstack'
import { signIn } from '@/simulator/openstack/testing/api-client'

/** A person with a shell, the openstack client and ssh, who knows nothing of the console but what it shows. */
export type Hands = {
  /** Runs one shown command with the functions of the change's script; resolves to what it printed, rejects where it fails. */
  run: (script: string, command: string) => Promise<string>
}

/** `ssh root@HOST COMMANDS`, on the host's tree. */
const SSH = `#!/bin/sh
export HOST_ROOT="$TREES/\${1#root@}"
shift
eval "$(printf '%s' "$*" | sed -e "s#/sys/#$HOST_ROOT/sys/#g" -e "s# /\\(etc\\|run\\|var\\)/# $HOST_ROOT/\\1/#g")"
`

const MDEVCTL = `#!/bin/sh
what=$1 start=manual
shift
while [ $# -gt 0 ]; do
  case "$1" in
    -u | --uuid) uuid=$2; shift ;;
    -p) parent=$2; shift ;;
    -t) type=$2; shift ;;
    --auto) start=auto ;;
  esac
  shift
done
file=$(find "$HOST_ROOT/etc/mdevctl.d" -name "$uuid" 2>/dev/null)
case "$what" in
  undefine) rm "$file" ;;
  stop) echo 1 > "$HOST_ROOT/sys/bus/mdev/devices/$uuid/remove" ;;
  define)
    mkdir -p "$HOST_ROOT/etc/mdevctl.d/$parent"
    printf '{"mdev_type":"%s","start":"%s","attrs":[]}' "$type" "$start" > "$HOST_ROOT/etc/mdevctl.d/$parent/$uuid" ;;
esac
`

const SYSTEMCTL = `#!/bin/sh
case "$1 $2" in
  "restart nova-compute" | "restart openstack-nova-compute" | "restart kolla-nova_compute-container") ;;
  *) echo "systemctl: $* is not here" >&2; exit 1 ;;
esac
exec "$HOST_ROOT/.sliceboard/restart-nova-compute"
`

/** The world's clock runs faster than the wall's. */
const SLEEP = '#!/bin/sh\nexec /bin/sleep 0.1\n'

const OPENSTACK = `#!/bin/sh
exec ${JSON.stringify(process.execPath)} ${JSON.stringify(path.resolve('simulator/testing/hands/openstack-cli.mjs'))} "$@"
`

const PUMP_MS = 50
/** Of the world's clock, at each turn of the pump. */
const STEP_MS = 2000

const COMPUTE_CONF = 'etc/nova/nova-compute.conf'

const MDEVS = /^\[(devices|mdev_|vgpu_)/m

/** In the file that names the types now: mdev options in place of those it has, others behind them, where they count. */
const writeConfig = (living: LivingHost, text: string) => {
  const file = path.join(living.root, COMPUTE_CONF)
  const others = (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split(/^(?=\[)/m)
    .filter((section) => !MDEVS.test(text) || !MDEVS.test(section))
  writeFileSync(file, `${others.join('')}\n${text}`)
  living.applyWrites()
}

const REQUESTED_EDIT = /Write this to nova\.conf of (\S+), replacing [^\n]*:\n([\s\S]*?)Press Enter/g

const installShims = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  const shims = { ssh: SSH, mdevctl: MDEVCTL, systemctl: SYSTEMCTL, sleep: SLEEP, openstack: OPENSTACK }
  for (const [name, text] of Object.entries(shims)) {
    writeFileSync(path.join(folder, name), text)
    chmodSync(path.join(folder, name), 0o755)
  }
}

export const createHands = async ({
  openstack,
  folder,
}: {
  openstack: OpenStackSimulator
  folder: string
}): Promise<Hands> => {
  const shims = path.join(folder, 'bin')
  installShims(shims)
  const hosts = () => openstack.world.hosts.map(({ living }) => living)
  const [first] = hosts()
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NOVA_URL: `${openstack.origin}/compute/v2.1`,
    PLACEMENT_URL: `${openstack.origin}/placement`,
    OS_TOKEN: await signIn(openstack.authUrl, 'admin'),
    TREES: path.dirname(first?.root ?? ''),
    PATH: `${shims}:${process.env.PATH ?? ''}`,
  }
  return {
    run: async (script, command) => {
      const file = path.join(folder, 'step.sh')
      const functions = script.slice(0, script.indexOf('\nforward() {'))
      // The file is written once its text has been read.
      writeFileSync(file, `${functions.replace('read -r _ </dev/tty', ':')}\n${command}\n`)
      const pump = setInterval(() => {
        openstack.world.applyWrites()
        openstack.world.advance(STEP_MS)
      }, PUMP_MS)
      try {
        const output = await shell(file, env)
        for (const [, host, text = ''] of output.matchAll(REQUESTED_EDIT)) {
          const living = hosts().find(({ name }) => name === host)
          if (living !== undefined) writeConfig(living, text)
        }
        openstack.world.applyWrites()
        return output
      } finally {
        clearInterval(pump)
      }
    },
  }
}

const shell = (file: string, env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', [file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, err]: [string[], string[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(out.join('')) : reject(new Error(`${code}: ${out.join('')}${err.join('')}`)),
    )
  })
