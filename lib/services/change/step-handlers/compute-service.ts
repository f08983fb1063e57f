import type { ComputeService } from '@/lib/domain/cloud/types'
import type { WorkTools } from './step-work'

/** nova-compute of a host as Nova has it now; null: it has none. */
export const readService = async ({ nova }: WorkTools, host: string): Promise<ComputeService | null> =>
  (await nova.listServices()).find((service) => service.host === host) ?? null

/** `up`, or why not. */
export const stateWords = ({ state, isForcedDown }: ComputeService): string =>
  isForcedDown ? 'forced down' : state

/** `disabled: broken fan`. */
export const statusWords = ({ status, disabledReason }: ComputeService): string =>
  disabledReason === null ? status : `${status}: ${disabledReason}`
