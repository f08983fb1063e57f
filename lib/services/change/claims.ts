import 'server-only'
import { targetsOf } from '@/lib/domain/plans/change-targets'
import type { HeldPgpu } from '@/lib/domain/plans/host-steps/refuse'
import { actorLabel } from '@/lib/domain/wording'
import type { PrismaConnection } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import { compareTexts } from '@/lib/util/compare-texts'
import { type ChangeRow, findPlan } from './change-rows'

type HeldName = { host: string; address: string }

/** In one order everywhere, so that two changes that take the same do not wait for each other. */
const inOrder = (a: HeldName, b: HeldName): number =>
  compareTexts(a.host, b.host) || compareTexts(a.address, b.address)

/**
 * Claims all pGPUs of a change. If another change has claimed one of them, claims none and fails with that change's
 * name.
 */
export const takeClaims = async ({ prisma }: PrismaConnection, change: ChangeRow): Promise<void> => {
  const { id: changeId, cloudId } = change
  const { preview } = await findPlan({ prisma }, changeId)
  if (preview.kind === 'unreadable')
    throw new ServiceError(
      'precondition',
      `Change ${changeId} cannot run, because its preview cannot be read: ${preview.because}. Plan the change again.`,
    )
  const targets = targetsOf(preview).toSorted(inOrder)
  const data = targets.map(({ host, address }) => ({ cloudId, host, address, changeId }))
  const { count } = await prisma.changeClaim.createMany({ data, skipDuplicates: true })
  if (count === targets.length) return
  const holder = await prisma.changeClaim.findFirst({
    where: {
      cloudId,
      changeId: { not: changeId },
      OR: targets.map(({ host, address }) => ({ host, address })),
    },
    include: { change: { select: { runBy: true } } },
    orderBy: [{ host: 'asc' }, { address: 'asc' }],
  })
  if (holder === null) throw new Error(`the pGPUs of change ${changeId} are held twice`)
  const { runBy } = holder.change
  throw new ServiceError(
    'conflict',
    `${holder.host} ${holder.address} is held by change ${holder.changeId}${runBy === null ? '' : ` of ${actorLabel(runBy)}`}. Wait until that change has ended, or roll it back.`,
  )
}

export const giveClaimsBack = async ({ prisma }: PrismaConnection, changeId: number): Promise<void> => {
  await prisma.changeClaim.deleteMany({ where: { changeId } })
}

/** pGPUs of a cloud's active changes. */
export const loadHeldPgpus = async ({ prisma }: PrismaConnection, cloudId: number): Promise<HeldPgpu[]> => {
  const claims = await prisma.changeClaim.findMany({
    where: { cloudId },
    include: { change: { select: { runBy: true } } },
    orderBy: [{ host: 'asc' }, { address: 'asc' }],
  })
  return claims.map(({ host, address, changeId, change }) => ({ host, address, changeId, by: change.runBy }))
}
