import type { JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { freeByHardware } from '@/lib/domain/cloud/free-by-hardware'
import { known, unknown } from '@/lib/domain/pgpu/known'
import type { Known } from '@/lib/domain/pgpu/types'

/**
 * vGPUs that a card still has for new servers. Nova creates only those of the configured type. If the card currently has
 * another type, this counts those that the driver could create of the configured one, plus the spare ones. Unit: vGPUs.
 */
export const freeForNova = (entry: JoinedPgpu): Known => {
  const { configuredType, currentType, supportedTypes, numbers } = entry.pgpu
  if (configuredType === null || configuredType.typeId === currentType?.typeId || supportedTypes === null)
    return freeByHardware(entry)
  if (numbers.spare.value === null) return numbers.spare
  const type = supportedTypes.find(({ typeId }) => typeId === configuredType.typeId)
  if (type === undefined) return known(numbers.spare.value)
  return type.creatable === null
    ? unknown(`the driver does not say how many of ${type.shortName} it would make`)
    : known(numbers.spare.value + type.creatable)
}
