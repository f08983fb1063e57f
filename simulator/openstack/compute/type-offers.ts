import type { DeviceChoice } from '@/simulator/host/choose-device'
import { configuredType, isSliced, type SlicedGpu } from '@/simulator/host/host-lookup'
import type { GpuSpec } from '@/simulator/host-tree/host-spec'
import type { FleetHost } from '@/simulator/world/fleet-host'
import { mdevClassOf } from './mdev-totals'
import { traitOfSlot } from './type-trait'

/** A device that a host is configured to assign, and the extra specs that request it. */
export type TypeOffer = { choice: DeviceChoice; extraSpecs: Record<string, string> }

const aliasesOf = ({
  spec,
}: FleetHost): { name: string; resourceClass: string | null; product: string | null }[] =>
  (spec.nova.sections.pci ?? []).flatMap((line) => {
    const text = /^alias\s*=\s*(\{.*\})$/.exec(line)?.[1]
    if (text === undefined) return []
    // Written by the fleet's own definition.
    const alias = JSON.parse(text) as { name: string; resource_class?: string; product_id?: string }
    return [
      { name: alias.name, resourceClass: alias.resource_class ?? null, product: alias.product_id ?? null },
    ]
  })

const mdevOffers = (host: FleetHost, gpu: SlicedGpu): TypeOffer[] =>
  gpu.slicing.state.slots.flatMap((slot): TypeOffer[] => {
    const typeId = configuredType(host.spec, slot)
    if (typeId === null || !gpu.slicing.types.some((type) => type.typeId === typeId)) return []
    return [
      {
        choice: { kind: 'new', gpu, slot, typeId },
        extraSpecs: {
          [`resources:${mdevClassOf(host.spec, slot)}`]: '1',
          [`trait:${traitOfSlot(host.spec, slot, typeId)}`]: 'required',
        },
      },
    ]
  })

const vendorOffers = (host: FleetHost, gpu: SlicedGpu): TypeOffer[] => {
  const typeId = host.plan[gpu.address]
  const slot = gpu.slicing.state.slots[0]
  if (typeId === undefined || slot === undefined) return []
  const name = gpu.slicing.types.find((type) => type.typeId === typeId)?.name ?? typeId
  const label = name.slice(name.lastIndexOf(' ') + 1).toLowerCase()
  const alias = aliasesOf(host).find((each) => each.name === label)?.name ?? label
  return [
    {
      choice: { kind: 'new', gpu, slot, typeId },
      extraSpecs: { 'pci_passthrough:alias': `${alias}:1` },
    },
  ]
}

const wholeOffers = (host: FleetHost, gpu: GpuSpec): TypeOffer[] => {
  if (gpu.driver !== 'vfio-pci') return []
  const alias = aliasesOf(host).find(({ product }) => product === gpu.ids.device)
  return [
    {
      choice: { kind: 'whole', gpu },
      extraSpecs: { 'pci_passthrough:alias': `${alias?.name ?? 'gpu'}:1` },
    },
  ]
}

/** One offer per pGPU and type; several of the same kind are repeated. */
export const offersOf = (host: FleetHost): TypeOffer[] =>
  host.spec.gpus.flatMap((gpu) => {
    if (!isSliced(gpu)) return wholeOffers(host, gpu)
    return gpu.slicing.interface === 'mdev' ? mdevOffers(host, gpu) : vendorOffers(host, gpu)
  })
