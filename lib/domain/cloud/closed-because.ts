import type { JoinedHost } from './fleet-types'

/** Why the scheduler sends nothing to a host; null when it does or when Nova did not say. */
export const closedBecause = ({ service }: JoinedHost): string | null => {
  if (service.state === 'absent') return 'the host has no nova-compute service'
  if (service.value === null) return null
  const { status, state, disabledReason, isForcedDown } = service.value
  if (status === 'disabled')
    return disabledReason === null
      ? 'nova-compute is disabled'
      : `nova-compute is disabled: ${disabledReason}`
  if (isForcedDown) return 'nova-compute is forced down'
  return state === 'down' ? 'nova-compute is down' : null
}
