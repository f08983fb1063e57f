import 'server-only'
import { amountText, parseAmount } from '@/lib/domain/price/amount'
import { type PriceVersion, priceKey, versionsOn } from '@/lib/domain/price/price-list'
import type { PriceListDto } from '@/lib/schemas/api/price'
import { type AddPrice, addPriceSchema } from '@/lib/schemas/api/price-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import { lockRow } from '@/lib/server/database/lock-row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { listPrices } from './list-prices'
import { dayOf, loadPriceVersions } from './load-price-versions'

type Version = Omit<PriceVersion, 'id'>

const textOf = ({ amount, currency }: Pick<Version, 'amount' | 'currency'>): string =>
  amount === null ? 'no price' : `${currency} ${amountText(amount)}`

const refusePastDay = ({ validFrom }: Version, today: string): void => {
  if (validFrom >= today) return
  throw new ServiceError(
    'validation',
    `validFrom is ${validFrom}, but prices of past days do not change. Enter ${today} or a later date.`,
    { field: 'validFrom' },
  )
}

/** `before`: the version that is valid on the first day of the new one. */
const refuseSamePrice = (version: Version, before: PriceVersion | undefined): void => {
  const subject = version.typeName ?? version.model
  if (before === undefined ? version.amount !== null : textOf(before) !== textOf(version)) return
  throw new ServiceError(
    'conflict',
    version.amount === null
      ? `${subject} has no price on ${version.validFrom}, so there is none to end. Enter a price, or a date on which it has one.`
      : `${subject} already has the price ${textOf(version)} on ${version.validFrom}. Enter another price or another date.`,
    { field: 'amount' },
  )
}

const shown = (version: Version) => ({
  model: version.model,
  typeName: version.typeName,
  amount: version.amount === null ? null : amountText(version.amount),
  currency: version.currency,
  validFrom: version.validFrom,
})

/** Adds a version of the price of a card or vGPU type. Earlier versions are unchanged. */
export const addPrice = async (ctx: ServiceContext, { body }: { body: AddPrice }): Promise<PriceListDto> => {
  requirePermission(ctx, 'price.add')
  const { cloud: cloudName, amount, ...rest } = parseInput(addPriceSchema, body)
  const cloud = await findCloud(ctx, { cloud: cloudName })
  const version: Version = { ...rest, amount: amount === null ? null : parseAmount(amount) }
  const at = ctx.now()
  refusePastDay(version, dayOf(at))
  await ctx.database.transaction(async ({ prisma, query }) => {
    await lockRow(query, 'cloud', cloud.id)
    const versions = await loadPriceVersions({ prisma }, cloud.id)
    const before = versionsOn(versions, version.validFrom).get(priceKey(version))
    refuseSamePrice(version, before)
    const { id } = await prisma.price.create({
      data: {
        ...version,
        cloudId: cloud.id,
        validFrom: new Date(version.validFrom),
        addedBy: describeActor(ctx.actor),
        addedAt: at,
      },
      select: { id: true },
    })
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'price.add',
      subject: `price:${id}`,
      before: before === undefined ? null : shown(before),
      after: shown(version),
    })
  })
  return listPrices(ctx, { cloud: cloud.name })
}
