import { offerOfSpec, type PciOffer, type PciRules } from '@/lib/domain/nova-config/alias-takes'
import type { DeviceSpec } from '@/lib/domain/nova-config/device-spec'
import { type ListedFunction, vfIds } from '@/lib/domain/nova-config/listed-functions'
import { specOfCard, wholeOffer } from '@/lib/domain/pgpu/handed-out-by'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { oncePer } from '@/lib/util/once-per'
import { isPciInPlacement } from './expected-providers'
import type { JoinedHost } from './fleet-types'
import { listedVfs, vfsByType } from './vf-promise'

/** A function of a pGPU that a host's `device_spec` offers for passthrough. */
export type HandedOut = {
  joined: JoinedHost
  pgpu: Pgpu
  /** Of the card itself, or of a VF. */
  address: string
  source: string
  offer: PciOffer
}

/** What applies to all devices of a host. */
export const pciRulesOf = (joined: JoinedHost): PciRules => ({
  scheduling: joined.pciScheduling,
  isReported: isPciInPlacement(joined),
  range: joined.nova?.range ?? null,
})

/** A VF as aliases are compared with it. */
export const vfOffer = (joined: JoinedHost, pgpu: Pgpu, spec: DeviceSpec): PciOffer =>
  offerOfSpec(spec, { ...vfIds(pgpu), deviceType: 'type-VF' }, pciRulesOf(joined))

const wholeOf = (joined: JoinedHost, pgpu: Pgpu, gpu: GpuDevice): HandedOut[] => {
  const spec = specOfCard(gpu, joined.nova?.deviceSpecs.specs ?? [])
  const isWhole =
    pgpu.framework === 'passthrough' && pgpu.cells.every(({ address }) => address === pgpu.address)
  if (spec === null || !isWhole) return []
  const { source } = spec
  return [{ joined, pgpu, address: pgpu.address, source, offer: wholeOffer(gpu, spec, pciRulesOf(joined)) }]
}

/** VFs that are assigned to guests unchanged. */
const plainVfs = (joined: JoinedHost, pgpu: Pgpu): ListedFunction[] => {
  if (pgpu.framework !== 'passthrough') return []
  const units = new Set(pgpu.cells.map(({ address }) => address))
  return listedVfs(joined, pgpu).filter(({ address }) => units.has(address))
}

/** VFs with a type of vendor VFIO, and those that need none. */
const vfsOf = (joined: JoinedHost, pgpu: Pgpu): HandedOut[] =>
  (vfsByType(joined, pgpu)?.typed ?? plainVfs(joined, pgpu)).map(({ address, spec }) => ({
    joined,
    pgpu,
    address,
    source: spec.source,
    offer: vfOffer(joined, pgpu, spec),
  }))

/** Cards and VFs of GPUs that `device_spec` assigns and that a server could get: VFs of vendor VFIO only with a vGPU type. */
export const handedOutDevices = oncePer((joined: JoinedHost): HandedOut[] =>
  joined.pgpus.flatMap(({ pgpu }) => {
    const gpu = joined.host.inventory.gpus.find(({ address }) => address === pgpu.address)
    return gpu === undefined ? [] : [...wholeOf(joined, pgpu, gpu), ...vfsOf(joined, pgpu)]
  }),
)
