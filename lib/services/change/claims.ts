import 'server-only'
import { targetsOf } from '@/lib/domain/plans/change-targets'
import type { HeldPgpu } from '@/lib/domain/plans/host-steps/refuse'
import { actorWords } from '@/lib/domain/wording'
import type { Connection } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { ChangeRow } from './change-rows'

type Prisma = Pick<Connection, 'prisma'>

/** In one order everywhere, so that two changes that take the same do not wait for each other. */
const inOrder = (a: { host: string; address: string }, b: { host: string; address: string }): number =>
  a.host === b.host ? (a.address < b.address ? -1 : 1) : a.host < b.host ? -1 : 1

/** Takes all pGPUs of a change, or none and says who has one. */
export const takeClaims = async ({ prisma }: Prisma, change: ChangeRow): Promise<void> => {
  const { id: changeId, cloudId } = change
  if (change.preview.kind === 'unreadable')
    throw new ServiceError(
      'precondition',
      `Change ${changeId} cannot run: its preview cannot be read, since ${change.preview.because}. Plan the change again.`,
    )
  const targets = targetsOf(change.preview).toSorted(inOrder)
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
    `${holder.host} ${holder.address} is held by change ${holder.changeId}${runBy === null ? '' : ` of ${actorWords(runBy)}`}: wait until it has ended, or roll it back.`,
  )
}

export const giveClaimsBack = async ({ prisma }: Prisma, changeId: number): Promise<void> => {
  await prisma.changeClaim.deleteMany({ where: { changeId } })
}

/** pGPUs of a cloud's active changes. */
export const loadHeldPgpus = async ({ prisma }: Prisma, cloudId: number): Promise<HeldPgpu[]> => {
  const claims = await prisma.changeClaim.findMany({
    where: { cloudId },
    include: { change: { select: { runBy: true } } },
    orderBy: [{ host: 'asc' }, { address: 'asc' }],
  })
  return claims.map(({ host, address, changeId, change }) => ({ host, address, changeId, by: change.runBy }))
}
