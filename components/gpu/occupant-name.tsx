import type { Occupant } from '@/lib/domain/pgpu/types'
import { guestStateLabel } from './guest-state'

/** Nova's name of a server with libvirt's name of its guest; the guest's alone when it has no metadata of Nova. */
export const OccupantName = ({ occupant }: { occupant: Occupant }) => (
  <span title={occupant.guestUuid === '' ? undefined : `uuid ${occupant.guestUuid}`}>
    {occupant.serverName ?? occupant.guestName}
    {occupant.serverName === null ? null : (
      <span className="ml-1.5 font-mono text-ink3 text-small">{occupant.guestName}</span>
    )}
    {occupant.guestState === 'running' ? null : (
      <span className="ml-1.5 text-ink2 text-small">{guestStateLabel(occupant.guestState)}</span>
    )}
  </span>
)
