import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { scanHost } from '@/agent/scan/scan-host'
import { readNovaProcess } from '@/lab/watcher/nova-process'
import { hostFile, labFile, treeOf } from './lab-cloud'
import { type Operator, waitUntil } from './operator'

const logOf = (name: string): Buffer => {
  const file = labFile('log', `compute-${name}.out`)
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
}

/** Answers with what the nova-compute of that name has written since now: a process that ends writes there, too. */
export const listenTo = (name: string): (() => string) => {
  const seen = logOf(name).length
  return () => logOf(name).subarray(seen).toString('utf8')
}

const lastLines = (host: string): string => logOf(host).toString('utf8').split('\n').slice(-30).join('\n')

/** By the process itself. The tree follows it, and shows none in the moment between an end and a start. */
const isAlive = (host: string): boolean => readNovaProcess(labFile('pid', `compute-${host}`), null) !== null

/** Of the process that the tree of a host shows; null: it shows none. */
const startedAt = async (host: string): Promise<string | null> =>
  (await scanHost({ root: treeOf(host) })).host.novaCompute?.startedAt ?? null

/** As `systemctl stop nova-compute` on a host. */
export const stopCompute = (host: string): void => {
  const script = `. ${path.resolve('lab/env.sh')}; . "$LAB_HOME/steps/process.sh"; finish compute-${host}`
  execFileSync('bash', ['-c', script], { stdio: 'pipe' })
}

const restart = (host: string): void => {
  execFileSync('bash', ['lab/restart-compute.sh', host], { stdio: 'pipe' })
}

/**
 * Ends nova-compute of a host, restarts it with a configuration that it can not do with, and waits until it has logged
 * so. `isEnding`: that is its end, which is waited for and then shown by the tree; else it must still run.
 */
export const restartInVain = async (
  host: string,
  { says, isEnding }: { says: string; isEnding: boolean },
): Promise<void> => {
  const log = listenTo(host)
  const latest = () => `it has written\n${log().split('\n').slice(-30).join('\n')}`
  restart(host)
  await waitUntil(
    `“${says}” of nova-compute on ${host}`,
    async () => (log().includes(says) ? true : null),
    latest,
  )
  if (!isEnding) {
    if (!isAlive(host)) throw new Error(`nova-compute of ${host} has ended: ${latest()}`)
    return
  }
  await waitUntil(`the end of nova-compute on ${host}`, async () => (isAlive(host) ? null : true), latest)
  await waitUntil(`${host} without nova-compute in its tree`, async () =>
    (await startedAt(host)) === null ? true : null,
  )
}

/**
 * Restarts nova-compute of a host and waits until it runs and the host's tree shows it. Nova and Placement show what the old
 * process logged for minutes, so that a caller who does not wait would change the next thing under a process that is still starting.
 */
export const restartCompute = async (
  operator: Pick<Operator, 'lastReportOf'>,
  host: string,
): Promise<void> => {
  const log = listenTo(host)
  const before = await startedAt(host)
  restart(host)
  const whileAlive = (what: string, ask: () => Promise<true | null>): Promise<true> =>
    waitUntil(`${what} of nova-compute on ${host}`, async () => {
      if (!isAlive(host)) throw new Error(`nova-compute of ${host} has ended:\n${lastLines(host)}`)
      return ask()
    })
  // A sign of life that the old process sent may still be on its way to Nova until then.
  await whileAlive('the start', async () => (log().includes('Starting compute node') ? true : null))
  const sinceMs = Date.now()
  // It gives one only after it has read its configuration and updated Placement.
  await whileAlive('a sign of life', async () => {
    const reportedMs = await operator.lastReportOf(host)
    return reportedMs !== null && reportedMs > sinceMs ? true : null
  })
  await whileAlive('the new process', async () => {
    const now = await startedAt(host)
    return now !== null && now !== before ? true : null
  })
}

/** Starts what a file before left lying, and logs that: one fault of the lab is not to become one of every file after it. */
export const reviveComputes = async (
  operator: Pick<Operator, 'lastReportOf'>,
  hosts: readonly string[],
): Promise<void> => {
  for (const host of hosts.filter((each) => !isAlive(each))) {
    process.stderr.write(
      `lab: nova-compute of ${host} was not running and is started again; ${hostFile(host)}:\n${lastLines(host)}\n`,
    )
    await restartCompute(operator, host)
  }
}
