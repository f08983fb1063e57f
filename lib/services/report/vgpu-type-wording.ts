import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { GpuDevice, Inventory, VgpuType } from '@/lib/schemas/agent/inventory'

/** A vGPU type as one driver words it: what a row of vgpu_type holds. */
export type Wording = Pick<VgpuType, 'typeId' | 'name' | 'description' | 'deviceApi'>

/** The wordings that a card's own type lists refer to, by type id; the first of one id stands, as lib/domain reads them. */
const ownWordings = (gpu: GpuDevice | undefined, inventory: Inventory): Map<string, Wording> => {
  const wordings = new Map<string, Wording>()
  if (gpu === undefined) return wordings
  const functions = gpu.virtualFunctions.filter((vf) => vf.mdevTypes !== null)
  const places = new Set<number>()
  for (const parent of functions.length > 0 ? functions : [gpu])
    for (const [place] of parent.mdevTypes ?? []) places.add(place)
  for (const place of places) {
    const wording = inventory.vgpuTypes[place]
    if (wording !== undefined && !wordings.has(wording.typeId)) wordings.set(wording.typeId, wording)
  }
  return wordings
}

export type PgpuWordings = { current: Wording | null; supported: Wording[] | null }

/** The wordings behind the types of a described pGPU. A type of vendor VFIO has no words but its id and name. */
export const pgpuWordings = (pgpu: Pgpu, inventory: Inventory): PgpuWordings => {
  const own = ownWordings(
    inventory.gpus.find((gpu) => gpu.address === pgpu.address),
    inventory,
  )
  const bare = ({ typeId, name }: { typeId: string; name: string | null }): Wording => ({
    typeId,
    name,
    description: null,
    deviceApi: null,
  })
  const current = pgpu.currentType
  return {
    current:
      current === null
        ? null
        : (own.get(current.typeId) ??
          inventory.vgpuTypes.find((type) => type.typeId === current.typeId) ??
          bare(current)),
    supported: pgpu.supportedTypes?.map((type) => own.get(type.typeId) ?? bare(type)) ?? null,
  }
}
