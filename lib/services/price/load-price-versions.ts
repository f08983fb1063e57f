import 'server-only'
import { type PriceVersion, priceKey } from '@/lib/domain/price/price-list'
import type { PrismaConnection } from '@/lib/server/database/database'
import { compareTexts } from '@/lib/util/compare-texts'

/** A version with who added it and when. */
export type StoredPriceVersion = PriceVersion & { addedBy: string; addedAt: Date }

/** A moment's day in UTC: `2026-11-28`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** All versions of a cloud's prices: by card and type, the latest first. */
export const loadPriceVersions = async (
  { prisma }: PrismaConnection,
  cloudId: number,
): Promise<StoredPriceVersion[]> => {
  const rows = await prisma.price.findMany({ where: { cloudId } })
  return rows
    .map(
      ({ id, model, typeName, amount, currency, validFrom, addedBy, addedAt }): StoredPriceVersion => ({
        ...{ id, model, typeName, amount, currency, addedBy, addedAt },
        validFrom: dayOf(validFrom),
      }),
    )
    .toSorted(
      (a, b) =>
        compareTexts(priceKey(a), priceKey(b)) || compareTexts(b.validFrom, a.validFrom) || b.id - a.id,
    )
}
