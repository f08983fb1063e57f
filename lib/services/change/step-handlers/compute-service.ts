import type { ComputeService } from '@/lib/domain/cloud/types'
import type { StepTools } from './step-work'

/** nova-compute of a host as Nova has it now; null: it has none. */
export const readService = async ({ nova }: StepTools, host: string): Promise<ComputeService | null> =>
  (await nova.listServices()).find((service) => service.host === host) ?? null

/** `up`, or why not. */
export const stateText = ({ state, isForcedDown }: ComputeService): string =>
  isForcedDown ? 'forced down' : state

/** `disabled: broken fan`. */
export const statusText = ({ status, disabledReason }: ComputeService): string =>
  disabledReason === null ? status : `${status}: ${disabledReason}`
