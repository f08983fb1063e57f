import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { readOccupancy } from '@/lib/domain/pgpu/occupants'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { oncePer } from '@/lib/util/once-per'
import type { HostNeed } from './detector'

/** Several detectors need it in a round. */
const guestGap = oncePer((inventory: Inventory) => readOccupancy(inventory).gap)

const GAPS: Readonly<Record<HostNeed, (joined: JoinedHost) => string | null>> = {
  root: ({ root }) => root.because,
  'nova.conf': ({ nova }) => (nova === null ? 'nova.conf could not be read' : nova.gap),
  mdevs: ({ host }) => (host.inventory.mdevs === null ? 'the mdevs could not be read' : null),
  guests: ({ host }) => guestGap(host.inventory),
}

/** Why a host's own report is not sufficient for a detector; null if it is. */
export const hostGap = (joined: JoinedHost, needs: readonly HostNeed[]): string | null => {
  const { host } = joined
  if (host.isSilent) return `${host.name} has been silent since ${host.seenAt}`
  for (const need of needs) {
    const gap = GAPS[need](joined)
    if (gap !== null) return `${host.name}: ${gap}`
  }
  return null
}
