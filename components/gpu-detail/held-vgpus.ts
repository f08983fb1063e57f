import type { CellDto, GpuDetail } from '@/lib/schemas/api/gpu'
import type { CloudOccupantDto, GpuSources } from '@/lib/schemas/api/sources'

export type HeldVgpu = {
  cell: CellDto
  occupant: NonNullable<CellDto['occupant']>
  /** Nova's and Keystone's data of the server; null: only the guest's own metadata is known. */
  inCloud: CloudOccupantDto | null
}

/** vGPUs of a card, or the whole card, with who holds them; the cloud's names where it gave them. */
export const heldVgpus = (
  { cells }: Pick<GpuDetail, 'cells'>,
  sources: Pick<GpuSources, 'sources'> | undefined,
): HeldVgpu[] => {
  const byGuest = new Map(
    (sources?.sources?.occupants ?? [])
      .filter(({ source }) => source === 'nova')
      .map((occupant) => [occupant.guestUuid, occupant]),
  )
  return cells.flatMap((cell) =>
    cell.occupant === null
      ? []
      : [{ cell, occupant: cell.occupant, inCloud: byGuest.get(cell.occupant.guestUuid) ?? null }],
  )
}
