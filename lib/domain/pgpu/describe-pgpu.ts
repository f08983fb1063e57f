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

/**
 * How much of a host is described. `page`: all. `rules`: without `deviceSpecs`, `rawFacts` and the lines of nova.conf, which only
 * pages of one host show. `rows`: also without `cells` and `mig`, which are not stored.
 */
export type DescriptionDetail = 'page' | 'rules' | 'rows'

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
export const describePgpu = (facts: PgpuFacts, detail: DescriptionDetail): Pgpu => {
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
    deviceSpecs: detail === 'page' ? deviceSpecLines(facts) : [],
    currentType: current,
    supportedTypes: supportedTypes(facts, {
      typeId: current?.typeId ?? null,
      capacity: numbers.capacity.value,
    }),
    mig: detail !== 'rows' ? migLayout(facts) : null,
    numbers,
    cells: detail !== 'rows' ? pgpuCells(facts, numbers) : [],
    virtualFunctions: virtualFunctions(facts),
    findings: [],
    rawFacts: detail === 'page' ? rawFacts(facts) : [],
  }
}
