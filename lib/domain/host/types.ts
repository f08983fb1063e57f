import type { DescribedNovaOption } from '@/lib/domain/nova-config/describe-options'
import type { HostFinding, Occupant, Pgpu } from '@/lib/domain/pgpu/types'

/**
 * What an mdev is to its pGPU. `defined`: only a definition without autostart. `returning`: defined with autostart,
 * not active. `unknown`: the host did not say enough to tell.
 */
export type MdevState = 'used' | 'spare' | 'orphan' | 'returning' | 'defined' | 'unknown'

/** An mdev with the pGPU that carries it; null when its parent is not among the host's GPUs. */
export type DescribedMdev = {
  uuid: string
  pgpuAddress: string | null
  /** sysfs name of the parent: the pGPU, or the VF on SR-IOV cards. */
  parent: string
  /** Of the live mdev, else of its definition. */
  typeId: string | null
  typeName: string | null
  isActive: boolean
  /** Null: the definitions of its parent could not be read. */
  isDefined: boolean | null
  isAutostart: boolean | null
  state: MdevState
  occupant: Occupant | null
}

/** One vGPU or whole card that a guest holds. `typeId`: null for a whole card and where the host does not tell it. */
export type GuestHolding = { pgpuAddress: string; typeId: string | null }

/** A guest with the pGPUs of which it holds a vGPU, a VF or the whole card, in the order of the host's GPUs. */
export type DescribedGuest = Occupant & {
  pgpuAddresses: string[]
  /** By pGPU and type; null: it names mdevs, and the host's mdevs could not be read. */
  holdings: GuestHolding[] | null
}

/** The one reading of a report. Null lists could not be read on the host. */
export type HostDescription = {
  pgpus: Pgpu[]
  mdevs: DescribedMdev[] | null
  guests: DescribedGuest[] | null
  /** Why the list of guests can't be trusted to be whole; null when it can. */
  guestGap: string | null
  /** Of the host as a whole; those of one pGPU stand with it. Most urgent first. */
  findings: HostFinding[]
  novaOptions: DescribedNovaOption[] | null
}
