import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { createNova } from '@/lib/openstack/nova/create-nova'
import { hostFile, labFile } from './lab-cloud'
import { waitUntil } from './operator'

type Nova = Pick<ReturnType<typeof createNova>, 'listServices'>

/** Ends nova-compute of a host and starts it anew, as systemd does: whether it comes up shows later. */
export const restartBlindly = (host: string): void => {
  execFileSync('bash', ['lab/restart-compute.sh', host], { stdio: 'pipe' })
}

const lastWords = (host: string): string =>
  readFileSync(labFile('log', `compute-${host}.out`), 'utf8')
    .split('\n')
    .slice(-30)
    .join('\n')

const isAlive = (host: string): boolean => {
  try {
    execFileSync('bash', ['-c', '. lab/env.sh; . lab/steps/process.sh; is_running "compute-$0"', host], {
      stdio: 'pipe',
    })
    return true
  } catch {
    return false
  }
}

/** Waits for a sign of life that Nova took after the given time: only then has nova-compute read its configuration. */
const waitForCompute = async (nova: Nova, host: string, sinceMs: number): Promise<void> => {
  await waitUntil(`a sign of life of nova-compute on ${host}`, async () => {
    if (!isAlive(host)) throw new Error(`nova-compute of ${host} has ended:\n${lastWords(host)}`)
    const found = (await nova.listServices()).find((service) => service.host === host)
    return found?.updatedAt != null && Date.parse(found.updatedAt) > sinceMs ? true : null
  })
}

/**
 * Restarts nova-compute of a host and waits until it runs. Nova and Placement show what the old process said for minutes, so
 * that whoever does not wait would change the next thing under a process that is still starting.
 */
export const restartCompute = async (nova: Nova, host: string): Promise<void> => {
  restartBlindly(host)
  await waitForCompute(nova, host, Date.now())
}

/** Starts what a file before left lying, and says so: one fault of the lab is not to become one of every file after it. */
export const reviveComputes = async (nova: Nova, hosts: readonly string[]): Promise<void> => {
  for (const host of hosts.filter((each) => !isAlive(each))) {
    process.stderr.write(
      `lab: nova-compute of ${host} was not running and is started again; ${hostFile(host)}:\n${lastWords(host)}\n`,
    )
    await restartCompute(nova, host)
  }
}
