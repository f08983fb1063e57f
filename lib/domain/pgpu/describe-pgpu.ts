import { pgpuCells } from './cells'
import { configuredType, currentType, typeFactsById } from './current-type'
import { deviceSpecLines } from './device-spec-lines'
import { handedOutBy } from './handed-out-by'
import { readIommuGroup } from './iommu-group'
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

const isMigBacked = (facts: PgpuFacts): boolean =>
  facts.smi?.migMode === 'enabled' ||
  facts.vgpus.some((vgpu) => vgpu.typeId !== null && typeFactsById(facts, vgpu.typeId).isMigBacked)

/**
 * One card as its host's facts describe it, findings left empty (the detectors see all cards of the host). `last`: its last
 * description, whose list of types comes back where nothing of it differs.
 */
export const describePgpu = (
  facts: PgpuFacts,
  { hasRawFacts, last }: { hasRawFacts: boolean; last: Pgpu | null },
): Pgpu => {
  const { gpu } = facts
  const current = currentType(facts)
  const numbers = pgpuNumbers(facts, current)
  return {
    address: gpu.address,
    vendorId: gpu.vendorId,
    deviceId: gpu.deviceId,
    subsystemId:
      gpu.subsystemVendorId === null || gpu.subsystemDeviceId === null
        ? null
        : `${gpu.subsystemVendorId}:${gpu.subsystemDeviceId}`,
    model: modelName(gpu, facts.inventory.nvidiaSmi),
    framework: facts.framework,
    isMigBacked: isMigBacked(facts),
    driver: gpu.driver,
    numaNode: gpu.numaNode,
    iommuGroup: gpu.iommuGroup,
    iommuGroupMembers: gpu.iommuGroupMembers,
    iommu: readIommuGroup(gpu),
    framebufferMib: facts.smi?.framebufferMib ?? largestFramebuffer(facts),
    configuredType: configuredType(facts),
    handedOutBy: handedOutBy(facts),
    deviceSpecs: hasRawFacts ? deviceSpecLines(facts) : [],
    currentType: current,
    supportedTypes: supportedTypes(facts, {
      typeId: current?.typeId ?? null,
      capacity: numbers.capacity.value,
      last: last?.supportedTypes ?? null,
    }),
    numbers,
    cells: pgpuCells(facts, numbers),
    virtualFunctions: gpu.virtualFunctions.map((vf) => ({
      address: vf.address,
      driver: vf.driver,
      currentType: vf.vendorVfio?.currentType ?? null,
      mdevUuids: (facts.mdevs ?? [])
        .filter((mdev) => mdev.isActive && mdev.parent === vf.address)
        .map((mdev) => mdev.uuid),
    })),
    findings: [],
    rawFacts: hasRawFacts ? rawFacts(facts) : [],
  }
}
