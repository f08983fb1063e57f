import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { pgpuCells } from './cells'
import { configuredType, currentType } from './current-type'
import { deviceSpecLines } from './device-spec-lines'
import { handedOutBy } from './handed-out-by'
import { readIommuGroup } from './iommu-group'
import { migLayout } from './mig-layout'
import { modelName } from './model-names'
import { pgpuNumbers } from './numbers'
import type { PgpuFacts } from './pgpu-facts'
import { rawFacts } from './raw-facts'
import { supportedTypes } from './supported-types'
import type { Pgpu } from './types'

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

/** One card as its host's facts describe it, findings left empty (the detectors see all cards of the host). */
export const describePgpu = (facts: PgpuFacts, hasDetails: boolean): Pgpu => {
  const { gpu } = facts
  const configured = configuredType(facts)
  const current = currentType(facts, configured)
  const numbers = pgpuNumbers(facts, current)
  return {
    address: gpu.address,
    vendorId: gpu.vendorId,
    deviceId: gpu.deviceId,
    vfDeviceId: gpu.vfDeviceId,
    subsystemId: subsystemId(gpu),
    model: modelName(gpu, facts.smi),
    framework: facts.framework,
    isMigBacked: isMigBacked(facts),
    driver: gpu.driver,
    numaNode: gpu.numaNode,
    iommuGroup: gpu.iommuGroup,
    iommuGroupMembers: gpu.iommuGroupMembers,
    iommu: readIommuGroup(gpu),
    framebufferMib: facts.smi?.framebufferMib ?? largestFramebuffer(facts),
    configuredType: configured,
    handedOutBy: handedOutBy(facts),
    deviceSpecs: hasDetails ? deviceSpecLines(facts) : [],
    currentType: current,
    supportedTypes: supportedTypes(facts, {
      typeId: current?.typeId ?? null,
      capacity: numbers.capacity.value,
    }),
    mig: hasDetails ? migLayout(facts) : null,
    numbers,
    cells: hasDetails ? pgpuCells(facts, numbers) : [],
    virtualFunctions: virtualFunctions(facts),
    findings: [],
    rawFacts: hasDetails ? rawFacts(facts) : [],
  }
}
