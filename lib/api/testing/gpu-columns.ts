import type { GpuColumns } from '@/lib/schemas/api/gpu-columns'

/** A fleet of one host with a pGPU for each number of used vGPUs. */
export const gpuColumns = (used: readonly (number | null)[], version = used.join()): GpuColumns => {
  const every = <Value>(value: Value): Value[] => used.map(() => value)
  return {
    cloud: 'paris',
    version,
    hosts: ['cmp-1'],
    addresses: used.map((_, index) => `0000:0${index}:00.0`),
    models: ['NVIDIA A40'],
    types: [{ typeId: 'nvidia-560', shortName: 'A40-4Q', framebufferMib: 4096 }],
    frameworks: ['mdev-sriov'],
    ranges: [],
    findings: [],
    reasons: ['the guests could not be read'],
    strandedReasons: [],
    services: ['up'],
    aggregateSets: [['gpu-a40']],
    columns: {
      hostIndex: every(0),
      addressIndex: used.map((_, index) => index),
      modelIndex: every(0),
      frameworkIndex: every(0),
      typeIndex: every(0),
      rangeIndex: every(null),
      numaNode: every(null),
      framebufferMib: every(49_152),
      capacity: every(12),
      used: [...used],
      spare: every(0),
      orphan: every(0),
      returning: every(0),
      creatable: every(null),
      findingIndex: every(null),
      reasonIndex: used.map((value) => (value === null ? 0 : null)),
      advertised: every(12),
      advertisedUsed: [...used],
      stranded: every(0),
      strandedReasonIndex: every(null),
      serviceIndex: every(0),
      aggregateSetIndex: every(0),
    },
  }
}
