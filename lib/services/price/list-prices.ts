import 'server-only'
import { amountText } from '@/lib/domain/price/amount'
import { cardKey } from '@/lib/domain/price/card-key'
import { priceKey } from '@/lib/domain/price/price-list'
import { publishedCards } from '@/lib/domain/vgpu-type/published-cards'
import { publishedTypesOf } from '@/lib/domain/vgpu-type/published-types'
import type { PriceListDto, PriceVersionDto } from '@/lib/schemas/api/price'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { naturalOrder } from '@/lib/util/natural-order'
import { dayOf, loadPriceVersions, type StoredPriceVersion } from './load-price-versions'

/** Versions as they follow each other, each with its state on a day. `versions`: the latest of each subject first. */
const versionDtos = (versions: readonly StoredPriceVersion[], today: string): PriceVersionDto[] => {
  /** Of each subject, the first day of the version that was met last, and whether a version that is valid was met. */
  const met = new Map<string, { validFrom: string; hasCurrent: boolean }>()
  return versions.map((version) => {
    const { id, model, typeName, amount, currency, validFrom, addedBy, addedAt } = version
    const next = met.get(priceKey(version))
    const isReplaced = next?.validFrom === validFrom
    const isCurrent = validFrom <= today && next?.hasCurrent !== true
    met.set(priceKey(version), { validFrom, hasCurrent: isCurrent || next?.hasCurrent === true })
    return {
      ...{ id, model, typeName, currency, validFrom, addedBy },
      amount: amount === null ? null : amountText(amount),
      validUntil: isReplaced ? validFrom : (next?.validFrom ?? null),
      state: isReplaced ? 'replaced' : validFrom > today ? 'future' : isCurrent ? 'current' : 'past',
      addedAt: addedAt.toISOString(),
    }
  })
}

/** Cards to set prices of: those of the fleet first, then the others of the table of cards. */
const cardsOf = (models: readonly string[]): PriceListDto['cards'] => {
  const ownKeys = new Set(models.map(cardKey))
  const namesOf = (types: readonly { shortName: string }[]): string[] =>
    types.map(({ shortName }) => shortName).toSorted(naturalOrder)
  return [
    ...models.toSorted(naturalOrder).map((model) => ({
      model,
      isInFleet: true,
      types: namesOf(publishedTypesOf({ model, framebufferMib: null })),
    })),
    ...publishedCards()
      .filter(({ model }) => !ownKeys.has(cardKey(model)))
      .map(({ model, types }) => ({ model, isInFleet: false, types: namesOf(types) }))
      .toSorted((a, b) => naturalOrder(a.model, b.model)),
  ]
}

/** All versions of a cloud's prices, and the cards that prices can be set for. */
export const listPrices = async (ctx: ServiceContext, input: CloudScope): Promise<PriceListDto> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const today = dayOf(ctx.now())
  const versions = await loadPriceVersions(ctx.database, cloud.id)
  const models = await ctx.database.prisma.pgpu.groupBy({
    by: ['model'],
    where: { host: { cloudId: cloud.id } },
  })
  return {
    cloud: cloud.name,
    today,
    versions: versionDtos(versions, today),
    cards: cardsOf(models.map(({ model }) => model)),
  }
}
