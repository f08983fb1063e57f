import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { Finding } from '@/lib/domain/findings/finding'
import { labFile, labHosts, treeOf } from './lab-cloud'
import { findInLab, scanInTree } from './lab-fleet'
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
    labHosts().map(async (host) => ({ host, guests: (await scanInTree(host)).guests ?? [] })),
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

export type Fault = {
  code: string
  sourceToCorrect: string | null
  /** Part of the finding's sentence, subject or evidence. */
  about: string
  /** Fields of the finding to compare. */
  fields?: { subject?: Record<string, string>; severity?: string; sentence?: string }
  moves?: string
  /** Codes of risks that the repair opens. */
  opens?: readonly string[]
  break: () => unknown
  follow?: (finding: Finding) => unknown
}

/**
 * Makes faults that do not disturb each other, expects one finding of each with its source to correct, and does what the
 * findings suggest. Then they are closed, nothing else is open, and servers have what they had. What `break` returns removes
 * its traces from the lab afterwards; `moves`: the server that a suggestion moves to another host.
 */
export const expectAllRepaired = async (operator: Operator, faults: readonly Fault[]): Promise<void> => {
  const moved = faults.find(({ moves }) => moves !== undefined)?.moves ?? null
  const opens = faults.flatMap((fault) => fault.opens ?? [])
  const before = new Set((await findInLab()).findings.map(({ key }) => key))
  const servers = await stateOf(operator, moved)
  const traces: unknown[] = []
  try {
    for (const fault of faults) traces.push(await fault.break())
    const { findings } = await findInLab()
    for (const { code, sourceToCorrect, about, fields = {}, follow = runCommand } of faults) {
      const found = findings.filter((finding) => finding.code === code && !before.has(finding.key))
      const sourcesToCorrect = found.map((finding) => ({ code, sourceToCorrect: finding.sourceToCorrect }))
      expect(sourcesToCorrect, JSON.stringify(found)).toEqual([{ code, sourceToCorrect }])
      expect(found).toMatchObject([fields])
      expect(JSON.stringify(found)).toContain(about)
      for (const finding of found) await follow(finding)
    }
    const codes = faults.map(({ code }) => code).join(', ')
    await waitUntilRepaired(codes, { before, opens: moved === null ? opens : [...opens, OF_TARGETS] })
    // Nova confirms a migration after its answer.
    await expect.poll(() => stateOf(operator, moved), { timeout: 240_000, interval: 1000 }).toEqual(servers)
  } finally {
    for (const tidy of traces.toReversed()) if (typeof tidy === 'function') await tidy()
  }
}

/** As `expectAllRepaired`, with one fault. */
export const expectRepaired = (operator: Operator, fault: Fault): Promise<void> =>
  expectAllRepaired(operator, [fault])

/** As `systemctl restart nova-compute` on a host, and waits until it has updated Placement. */
export const restartOn = (operator: Operator, host: string) => (): Promise<void> =>
  restartCompute(operator, host)
