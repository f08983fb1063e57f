import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Hypervisor, parseHypervisor } from '@/lab/watcher/hypervisor-file'
import { hostFile } from './lab-cloud'
import type { Operator } from './operator'
import { restartCompute } from './restart-compute'

type Guest = Hypervisor['guests'][number]

/**
 * Changes the guests of a host as libvirt has them, while nova-compute is stopped: its process plays libvirt, and reads them
 * when it starts.
 */
export const editGuests = async (
  operator: Operator,
  { host, change }: { host: string; change: (guests: Guest[]) => Guest[] },
): Promise<void> => {
  const script = `. ${path.resolve('lab/env.sh')}; . "$LAB_HOME/steps/process.sh"; finish compute-${host}`
  execFileSync('bash', ['-c', script], { stdio: 'pipe' })
  const file = hostFile(host, 'hypervisor.json')
  const text = readFileSync(file, 'utf8')
  // Keeps the members that only nova-compute's process reads.
  const state: object = JSON.parse(text)
  writeFileSync(file, JSON.stringify({ ...state, guests: change(parseHypervisor(text).guests) }))
  await restartCompute(operator.nova, host)
}
