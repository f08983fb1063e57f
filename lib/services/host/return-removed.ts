import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import type { Connection } from '@/lib/server/database/database'
import { renamedRemoved } from '@/lib/services/stored-host/removed-host-rows'
import { resumeHost } from './restore-host'

/** Lets a removed host return as an admin decided: with its history, or as another host of the same name. */
export const returnRemoved = async (
  { query, prisma }: Connection,
  {
    cloudId,
    cloud,
    hostName,
    approval,
    now,
  }: {
    cloudId: number
    cloud: string
    hostName: string
    approval: { by: string; asNew: boolean }
    now: Date
  },
): Promise<void> => {
  const removed = await prisma.host.findUnique({
    where: { cloudId_name: { cloudId, name: hostName } },
    select: { id: true, removedAt: true, removedReason: true },
  })
  if (removed === null || removed.removedAt === null) return
  const { id, removedAt, removedReason: reason } = removed
  if (approval.asNew) {
    await prisma.host.update({
      where: { id },
      data: { name: renamedRemoved(hostName, { id, at: removedAt }) },
      select: { id: true },
    })
    return
  }
  await resumeHost(query, { id, at: now })
  await writeAudit(query, {
    at: now,
    actor: { kind: 'system' },
    cloud,
    action: 'host.restore',
    subject: `host:${hostName}`,
    before: { removedAt: removedAt.toISOString(), reason },
    after: { reason: 'The host enrolled again', approvedBy: approval.by },
  })
}
