import type { CloudHostFacts, Fleet } from '@/lib/domain/cloud/fleet-types'
import { joinFleet } from '@/lib/domain/cloud/join-fleet'
import {
  buildFlavor,
  buildInput,
  hostFacts,
  inventoryOf,
  mdevProvider,
  rootOf,
} from '@/lib/domain/testing/build-cloud'
import { buildInventory, type CardSpec, novaConf } from '@/lib/domain/testing/build-inventory'
import { reportedAt } from './reported-at'
import type { PastPoint } from './types'

/** What detectors need of a host at a moment: its cards with what is free on each, and what the cloud reported of it. */
export type ReportedHost = {
  name: string
  /** ms */
  at: number
  cards: readonly PastPoint[]
  /** When its agent sent the last report; null: it reports. ms. */
  silentSince: number | null
  /** Why its nova-compute is disabled; null: it is not. */
  disabledReason: string | null
  /** CPU and memory are used up. */
  isFull: boolean
  /** A flavor requests what its cards offer. */
  hasFlavor: boolean
}

const HOLDING = 4096
const MEMORY_MIB = 1_048_576

const nameOf = ({ typeName, typeId }: PastPoint): string => `NVIDIA ${typeName ?? typeId ?? ''}`

const FLAVOR = buildFlavor({ name: 'vgpu', extraSpecs: { 'resources:VGPU': '1' } })

const freeOn = ({ spare, creatable }: PastPoint): number => (spare ?? 0) + (creatable ?? 0)

/** Every card as one without VFs: what is free on it is reported in the same way. */
const cardOf = (point: PastPoint): CardSpec => ({
  address: point.address,
  modelName: point.model,
  offers:
    point.typeId === null
      ? []
      : [
          {
            typeId: point.typeId,
            name: nameOf(point),
            description: `num_heads=1, frl_config=60, framebuffer=${HOLDING}M, max_resolution=4096x2160, max_instance=${point.capacity ?? 0}`,
            available: freeOn(point),
          },
        ],
})

const confOf = (cards: readonly PastPoint[]): string => {
  const types = [...new Set(cards.flatMap(({ typeId }) => typeId ?? []))]
  const sections = types.map((type) => {
    const own = cards.filter(({ typeId }) => typeId === type).map(({ address }) => address)
    return `[mdev_${type}]\ndevice_addresses = ${own.join(',')}`
  })
  return `[devices]\nenabled_mdev_types = ${types.join(',')}\n${sections.join('\n')}`
}

const factsOf = ({ name, at, cards, silentSince }: ReportedHost): CloudHostFacts => {
  const inventory = buildInventory({
    cards: cards.map(cardOf),
    host: {
      name,
      osName: null,
      kernel: null,
      libvirtVersion: null,
      qemuVersion: null,
      nvidiaDriverVersion: null,
      numaNodes: [],
    },
    novaConfig: novaConf(confOf(cards)),
  })
  const seenAt = new Date(silentSince ?? at).toISOString()
  return hostFacts(inventory, { takenAt: seenAt, seenAt, isSilent: silentSince !== null })
}

/** The host and what OpenStack reported of it, as detectors of findings are given them. */
export const fleetOf = (reported: ReportedHost): Fleet => {
  const { name, at, cards, disabledReason, isFull, hasFlavor } = reported
  const root = rootOf(name, 0, {
    inventories: {
      VCPU: inventoryOf(512, 64),
      MEMORY_MB: inventoryOf(MEMORY_MIB, isFull ? MEMORY_MIB : MEMORY_MIB / 8),
      DISK_GB: inventoryOf(7150, 400),
    },
  })
  const providers = cards.map(({ address, capacity, used }, n) =>
    mdevProvider(root, { address, n, inventories: { VGPU: inventoryOf(capacity ?? 0, used ?? 0) } }),
  )
  const service = {
    id: `service-${name}`,
    host: name,
    status: disabledReason === null ? ('enabled' as const) : ('disabled' as const),
    state: 'up' as const,
    isForcedDown: false,
    disabledReason,
    updatedAt: null,
    availabilityZone: 'nova',
  }
  const hypervisor = {
    id: root.uuid,
    hypervisorHostname: name,
    serviceHost: name,
    hostIp: null,
    hypervisorVersion: null,
    state: 'up' as const,
    status: 'enabled' as const,
  }
  const facts = {
    providers: reportedAt([root, ...providers], at),
    services: reportedAt([service], at),
    hypervisors: reportedAt([hypervisor], at),
    flavors: reportedAt(hasFlavor ? [FLAVOR] : [], at),
  }
  return joinFleet(buildInput(facts, [factsOf(reported)], { now: new Date(at).toISOString() }))
}
