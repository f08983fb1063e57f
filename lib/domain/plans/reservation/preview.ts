import type { HeadroomState } from '@/lib/domain/headroom/gpu-headroom'
import type { HeadroomLine } from '@/lib/domain/headroom/headroom-lines'
import type { PlainAmounts, PlainName } from '@/lib/domain/headroom/plain-needs'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'

export type ReservationMethod = 'cpus' | 'isolated' | 'forbidden' | 'second-service'

/** Servers of a GPU flavor on a host, before and after. */
export type ReservationFlavor = {
  id: string
  name: string
  before: number
  after: number
  /** When ordinary servers take all that they can get. */
  worst: number
  /** What is short in the worst case. */
  short: PlainName[]
}

export type ReservationHost = {
  host: string
  stateBefore: HeadroomState
  before: HeadroomLine[]
  after: HeadroomLine[]
  flavors: ReservationFlavor[]
}

/** A condition on which a reservation depends; `isMet` null: no API reports it. */
export type ReservationCheck = { text: string; isMet: boolean | null; wayOut: string | null }

/** A flavor that the change writes, and the hosts of its GPUs that it could land on before and after. */
export type ReservationFlavorChange = {
  id: string
  name: string
  key: string
  value: string
  hostsBefore: number
  hostsAfter: number
}

/** An ordinary server that is migrated, so that there is capacity for the last GPU at once. */
export type ReservationMove = {
  serverUuid: string
  name: string
  projectName: string
  flavorName: string | null
  needs: PlainAmounts
}

/** What a capacity reservation means: numbers of this host, its cost, what it depends on, and its texts. */
export type ReservationPreview = {
  way: ReservationMethod
  hosts: ReservationHost[]
  /** One sentence each. */
  costs: string[]
  checks: ReservationCheck[]
  flavors: ReservationFlavorChange[]
  moves: ReservationMove[]
  aggregate: string | null
  configs: DeploymentConfig[]
  /** Why nothing is planned; null: it is, or there is nothing to do. */
  refusal: string | null
}
