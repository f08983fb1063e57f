import { known } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'
import type { JoinedPgpu } from './fleet-types'

/** Free by the hardware: spare vGPUs, which Nova reuses, and those that the driver can still create. */
export const freeByHardware = ({ pgpu }: JoinedPgpu): Known => {
  const { spare, creatable } = pgpu.numbers
  if (spare.value === null) return spare
  if (creatable.value === null) return creatable
  return known(spare.value + creatable.value)
}
