import 'server-only'
import type { ChangeHold } from '@/lib/domain/findings/wait-for-changes'
import { targetsOf } from '@/lib/domain/plans/change-targets'
import { parseStoredPreview } from '@/lib/domain/plans/stored-plan'
import type { PrismaConnection } from '@/lib/server/database/database'

/** A host that sends no report after a change does not hold its findings back for longer. */
const MAX_WAIT_MS = 15 * 60_000

/**
 * What the console's changes hold: subjects of active changes, and of those that ended after the facts of this round were
 * read. Such facts are from the middle of a change, so a difference in them may be the console's own write.
 */
export const loadChangeHolds = async (
  { prisma }: PrismaConnection,
  { cloudId, at, readAt }: { cloudId: number; at: Date; readAt: Date },
): Promise<ChangeHold[]> => {
  const active = await prisma.changeClaim.findMany({
    where: { cloudId },
    select: { host: true, address: true },
  })
  const ended = await prisma.change.findMany({
    where: { cloudId, endedAt: { gt: new Date(at.getTime() - MAX_WAIT_MS), lte: at } },
    select: { kind: true, preview: true, endedAt: true },
  })
  if (ended.length === 0) return active
  const held = ended.flatMap(({ kind, preview, endedAt }) =>
    targetsOf(parseStoredPreview(kind, preview)).map((target) => ({ ...target, endedAt: endedAt ?? at })),
  )
  const hosts = await prisma.host.findMany({
    where: { cloudId, name: { in: [...new Set(held.map(({ host }) => host))] } },
    select: { name: true, seenAt: true },
  })
  const seenAt = new Map(hosts.map((host) => [host.name, host.seenAt]))
  return [
    ...active,
    ...held.filter(({ host, endedAt }) => endedAt > readAt || endedAt > (seenAt.get(host) ?? endedAt)),
  ]
}
