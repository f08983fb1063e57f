import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { Intent } from '@/lib/domain/plans/stored-plan'
import { blocked } from './blocked'
import type { CheckResult } from './step-work'

/** The kernel's boot time, from which a process' start is counted, may differ by a second between two readings. */
const JITTER_MS = 2000

/** When nova-compute of a host was started, ISO 8601 UTC; null: its agent does not say. */
export const startOfNova = ({ host }: JoinedHost): string | null =>
  host.inventory.host.novaCompute?.startedAt ?? null

export const isLater = (at: string, than: string): boolean => Date.parse(at) > Date.parse(than) + JITTER_MS

/** The start that an intent noted under a name. */
export const notedStart = (intent: Intent | null, name: string): string | null => {
  const value = intent?.[name]
  return typeof value === 'string' ? value : null
}

/** The result of a check when the restart cannot be observed. */
export const unseenStart = (host: string): CheckResult =>
  blocked(
    `The agent of ${host} does not report when nova-compute was started.`,
    `Restart nova-compute on ${host}, then skip this step with that reason.`,
  )
