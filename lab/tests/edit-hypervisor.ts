import { readFileSync, writeFileSync } from 'node:fs'
import { type Hypervisor, parseHypervisor } from '@/lab/watcher/hypervisor-file'
import { hostFile } from './lab-cloud'
import type { Operator } from './operator'
import { restartCompute, stopCompute } from './restart-compute'

type Guest = Hypervisor['guests'][number]

/**
 * Changes the guests of a host as libvirt has them, while nova-compute is stopped: its process plays libvirt, and reads them
 * when it starts.
 */
export const editGuests = async (
  operator: Operator,
  { host, change }: { host: string; change: (guests: Guest[]) => Guest[] },
): Promise<void> => {
  stopCompute(host)
  const file = hostFile(host, 'hypervisor.json')
  const text = readFileSync(file, 'utf8')
  // Keeps the members that only nova-compute's process reads.
  const state: object = JSON.parse(text)
  writeFileSync(file, JSON.stringify({ ...state, guests: change(parseHypervisor(text).guests) }))
  await restartCompute(operator, host)
}
