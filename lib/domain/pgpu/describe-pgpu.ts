import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { pgpuCells } from './cells'
import { configuredType, currentType } from './current-type'
import { deviceSpecLines } from './device-spec-lines'
import { handedOutBy } from './handed-out-by'
import { readIommuGroup } from './iommu-group'
import { modelName } from './model-names'
import { pgpuNumbers } from './numbers'
import type { Card, PgpuFacts } from './pgpu-facts'
import { rawFacts } from './raw-facts'
import { supportedTypes } from './supported-types'
import type { Pgpu } from './types'
import { areSameVgpus } from './vgpus'

const largestFramebuffer = (facts: PgpuFacts): number | null => {
  const sizes = (facts.types ?? []).map((type) => type.facts.framebufferMib).filter((size) => size !== null)
  return sizes.length === 0 ? null : Math.max(...sizes)
}

const isMigBacked = ({ smi, vgpus }: PgpuFacts): boolean =>
  smi?.migMode === 'enabled' || vgpus.some(({ type }) => type?.isMigBacked === true)

const subsystemId = ({ subsystemVendorId, subsystemDeviceId }: GpuDevice): string | null =>
  subsystemVendorId === null || subsystemDeviceId === null
    ? null
    : `${subsystemVendorId}:${subsystemDeviceId}`

const virtualFunctions = ({ gpu, mdevs }: PgpuFacts): Pgpu['virtualFunctions'] =>
  gpu.virtualFunctions.map((vf) => ({
    address: vf.address,
    driver: vf.driver,
    currentType: vf.vendorVfio?.currentType ?? null,
    mdevUuids: (mdevs ?? [])
      .filter((mdev) => mdev.isActive && mdev.parent === vf.address)
      .map((mdev) => mdev.uuid),
  }))

/** What of the last reading still holds: what hangs on the device, on how it is sliced too, on its vGPUs too. */
type Known = { device: Card | null; slicing: Card | null; make: Card | null }

const stillKnown = (facts: PgpuFacts, last: Card | null): Known => {
  const device = last?.facts.gpu === facts.gpu ? last : null
  const slicing = device?.facts.framework === facts.framework ? device : null
  const isSameMake = slicing?.facts.types === facts.types && areSameVgpus(facts.vgpus, slicing.facts.vgpus)
  return { device, slicing, make: isSameMake ? slicing : null }
}

/**
 * One card as its host's facts describe it, findings left empty (the detectors see all cards of the host). `last`: its last
 * reading by the same basis; what hangs on nothing that differs is taken from it.
 */
export const describePgpu = (
  facts: PgpuFacts,
  { hasDetails, last }: { hasDetails: boolean; last: Card | null },
): Pgpu => {
  const { gpu } = facts
  const { device, slicing, make } = stillKnown(facts, last)
  const configured = slicing === null ? configuredType(facts) : slicing.pgpu.configuredType
  const current = make === null ? currentType(facts, configured) : make.pgpu.currentType
  const numbers = pgpuNumbers(facts, current)
  return {
    address: gpu.address,
    vendorId: gpu.vendorId,
    deviceId: gpu.deviceId,
    subsystemId: device === null ? subsystemId(gpu) : device.pgpu.subsystemId,
    model:
      device === null || gpu.modelName === null
        ? modelName(gpu, facts.inventory.nvidiaSmi)
        : device.pgpu.model,
    framework: facts.framework,
    isMigBacked: isMigBacked(facts),
    driver: gpu.driver,
    numaNode: gpu.numaNode,
    iommuGroup: gpu.iommuGroup,
    iommuGroupMembers: gpu.iommuGroupMembers,
    iommu: device === null ? readIommuGroup(gpu) : device.pgpu.iommu,
    framebufferMib: facts.smi?.framebufferMib ?? largestFramebuffer(facts),
    configuredType: configured,
    handedOutBy: device === null ? handedOutBy(facts) : device.pgpu.handedOutBy,
    deviceSpecs: hasDetails ? deviceSpecLines(facts) : [],
    currentType: current,
    supportedTypes: supportedTypes(facts, {
      typeId: current?.typeId ?? null,
      capacity: numbers.capacity.value,
      make,
      last: last?.pgpu.supportedTypes ?? null,
    }),
    numbers,
    cells: hasDetails ? pgpuCells(facts, numbers) : [],
    virtualFunctions:
      device !== null && device.facts.mdevs === facts.mdevs
        ? device.pgpu.virtualFunctions
        : virtualFunctions(facts),
    findings: [],
    rawFacts: hasDetails ? rawFacts(facts) : [],
  }
}
