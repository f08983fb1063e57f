import type { VgpuType } from '@/lib/schemas/agent/inventory'

/** The contract's bound on `vgpuTypes`. */
const MAX_TYPES = 4096

/** Distinct wordings of vGPU types, in the order in which the scan met them. */
export type TypeTable = {
  /** Place of the wording in `types`; null when the table is full. */
  indexOf(type: VgpuType): number | null
  types: VgpuType[]
}

export const createTypeTable = (): TypeTable => {
  const indexes = new Map<string, number>()
  const types: VgpuType[] = []
  return {
    types,
    indexOf: (type) => {
      const key = JSON.stringify([type.typeId, type.name, type.description, type.deviceApi])
      const held = indexes.get(key)
      if (held !== undefined) return held
      if (types.length >= MAX_TYPES) return null
      indexes.set(key, types.length)
      types.push(type)
      return types.length - 1
    },
  }
}
