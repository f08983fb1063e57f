import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostFile } from './lab-cloud'
import type { openOperator } from './operator'
import { restartCompute } from './restart-compute'

type Operator = Awaited<ReturnType<typeof openOperator>>
type Guest = { uuid: string; xml: string; isRunning: boolean }

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
  const state: { guests: Guest[] } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...state, guests: change(state.guests) }))
  await restartCompute(operator.nova, host)
}
