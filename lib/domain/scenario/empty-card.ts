import type { JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { known } from '@/lib/domain/pgpu/known'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import type { TypeFacts } from '@/lib/domain/vgpu-type/read-type'

/** An unused card with a type of which it takes `capacity` vGPUs. */
export const emptyCard = (
  pgpu: Pgpu,
  { type, capacity }: { type: TypeFacts | null; capacity: number },
): Pgpu => ({
  ...pgpu,
  configuredType: type === null ? null : { typeId: type.typeId, source: pgpu.configuredType?.source ?? '' },
  currentType: type,
  supportedTypes:
    pgpu.supportedTypes?.map((each) =>
      each.typeId === type?.typeId ? { ...each, creatable: capacity, limitReason: null } : each,
    ) ?? null,
  numbers: {
    capacity: known(capacity),
    used: known(0),
    spare: known(0),
    orphan: known(0),
    returning: known(0),
    creatable: known(capacity),
  },
  cells: [],
  findings: [],
})

/** vGPUs in use, as far as they are known. */
export const usedOf = (pgpus: readonly JoinedPgpu[]): number =>
  pgpus.reduce((sum, { pgpu }) => sum + (pgpu.numbers.used.value ?? 0), 0)
