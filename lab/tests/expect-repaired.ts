import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { scanHost } from '@/agent/scan/scan-host'
import type { Finding } from '@/lib/domain/findings/finding'
import { labFile, labHosts, treeOf } from './lab-cloud'
import { findInLab } from './lab-fleet'
import { type Operator, waitUntil } from './operator'
import { restartCompute } from './restart-compute'

type Suggestion = Pick<Finding, 'subject' | 'nextStep'> & { command: string | null }

const commandOf = ({ command, nextStep }: Suggestion): string => {
  if (command === null) throw new Error(`The finding suggests no command: ${nextStep}`)
  return command
}

/** The host on which an operator runs the command. */
const hostOf = ({ subject }: Suggestion): string => ('host' in subject ? (subject.host ?? '') : '')

/** Runs a command as it is shown: in a shell of the admin, where `systemctl` is that of the lab's host. */
export const runInShell = async (command: string, host: string): Promise<string> => {
  const script = `set -eo pipefail\n. ${labFile('openrc-admin')}\n${command}`
  const environment = {
    ...process.env,
    LAB_STATE: labFile(),
    LAB_HOST: host,
    PATH: `${path.resolve('lab/bin')}:${process.env.PATH}`,
  }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: environment })
  return stdout
}

/** Runs the command of a finding as it is shown. */
export const runCommand = async (finding: Suggestion): Promise<void> => {
  await runInShell(commandOf(finding), hostOf(finding))
}

const withLine = (text: string, section: string, line: string): string => {
  const [name = ''] = line.split(' = ')
  const header = `[${section}]`
  const lines = text.split('\n')
  const begin = lines.indexOf(header)
  if (begin === -1) return `${text.trimEnd()}\n\n${header}\n${line}\n`
  const length = lines.slice(begin + 1).findIndex((each) => each.startsWith('['))
  const end = length === -1 ? lines.length : begin + 1 + length
  const own = lines.slice(begin + 1, end).filter((each) => !each.startsWith(`${name} =`))
  return [...lines.slice(0, begin + 1), line, ...own, ...lines.slice(end)].join('\n')
}

/** Writes the lines of a finding into a configuration file: each into its section, in place of the option's old value. */
export const writeLines = (file: string, finding: Suggestion): void => {
  let section = ''
  let text = readFileSync(file, 'utf8')
  for (const line of commandOf(finding).split('\n'))
    if (line.startsWith('[')) section = line.slice(1, -1)
    else text = withLine(text, section, line)
  writeFileSync(file, text)
}

/** The status, allocations and guest XML of each server, to detect a repair that changes more than it should. */
const stateOf = async (operator: Operator, moved: string | null) => {
  const scans = await Promise.all(
    labHosts().map(async (host) => ({ host, guests: (await scanHost({ root: treeOf(host) })).guests ?? [] })),
  )
  const { items } = await operator.nova.listServers()
  const states = items
    .filter(({ isDeleted }) => !isDeleted)
    .map(async ({ uuid, name, status, host }) => {
      const { allocations } = await operator.placement.getConsumer(uuid)
      const amounts = allocations
        .flatMap(({ resources }) => Object.entries(resources).map(([key, amount]) => `${key}=${amount}`))
        .toSorted()
      const guests = scans.flatMap((scan) =>
        scan.guests.filter((guest) => guest.uuid === uuid).map((guest) => ({ host: scan.host, guest })),
      )
      if (name === moved)
        return {
          name,
          status,
          amounts,
          isHere: guests.map((each) => each.host === host),
          attached: guests.map(({ guest }) => guest.mdevs.length + guest.pciDevices.length),
        }
      const held = allocations
        .map(({ providerUuid, resources }) => ({ providerUuid, resources }))
        .toSorted((a, b) => (a.providerUuid < b.providerUuid ? -1 : 1))
      const files = guests.flatMap((each) =>
        [each.guest.persistentPath, each.guest.livePath].flatMap((file) =>
          file === null ? [] : [path.join(treeOf(each.host), file)],
        ),
      )
      return {
        name,
        status,
        host,
        held,
        guests: files.filter(existsSync).map((file) => readFileSync(file, 'utf8')),
      }
    })
  return (await Promise.all(states)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Until no finding is open except those that were open before. */
const waitUntilRepaired = async (
  repaired: string,
  { before, opens }: { before: ReadonlySet<string>; opens: readonly string[] },
): Promise<true> => {
  let open: string[] = []
  return waitUntil(
    `a lab without ${repaired}`,
    async () => {
      const { findings } = await findInLab()
      open = findings
        .filter(({ key, code }) => !before.has(key) && !opens.includes(code))
        .map(({ key, sentence }) => `${key}: ${sentence}`)
      return open.length === 0 ? true : null
    },
    () => open.join('; '),
  )
}

/** Of Zed: a risk of each host with a vGPU server, so it follows a server that moves. */
const OF_TARGETS = 'no-live-migration-target'

/**
 * Breaks the lab, expects the one finding with its source to correct, and does what the finding suggests. Then the finding is
 * closed, nothing else is open, and servers have what they had. What `break` returns removes its traces from the lab afterwards;
 * `moves`: the server that the suggestion moves to another host.
 */
export const expectRepaired = async (
  operator: Operator,
  wanted: {
    code: string
    blame: string | null
    /** Part of the finding's sentence, subject or evidence. */
    about: string
    /** Fields of the finding to compare. */
    fields?: { subject?: Record<string, string>; sentence?: string }
    moves?: string
    /** Codes of risks that the repair opens. */
    opens?: readonly string[]
    break: () => unknown
    follow?: (finding: Finding) => unknown
  },
): Promise<void> => {
  const { code, moves = null, opens = [], follow = runCommand } = wanted
  const before = new Set((await findInLab()).findings.map(({ key }) => key))
  const servers = await stateOf(operator, moves)
  const tidy = await wanted.break()
  try {
    const found = (await findInLab()).findings.filter((finding) => finding.code === code)
    expect(found.map(({ blame }) => blame)).toEqual([wanted.blame])
    expect(found).toMatchObject([wanted.fields ?? {}])
    expect(JSON.stringify(found)).toContain(wanted.about)
    for (const finding of found) await follow(finding)
    await waitUntilRepaired(code, { before, opens: moves === null ? opens : [...opens, OF_TARGETS] })
    expect(await stateOf(operator, moves)).toEqual(servers)
  } finally {
    if (typeof tidy === 'function') await tidy()
  }
}

/** As `systemctl restart nova-compute` on a host, and waits until it has updated Placement. */
export const restartOn = (operator: Operator, host: string) => (): Promise<void> =>
  restartCompute(operator.nova, host)
