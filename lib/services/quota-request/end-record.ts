import 'server-only'
import { writeAudit } from '@/lib/server/audit/audit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { lockRequest, type RequestRow } from './request-rows'

type Ending = {
  /** Why the limit was not reset; null: it was. */
  note: string | null
  /** A later grant that builds on this one, and the value to which it is reset at its end. */
  heir?: { id: number; before: number | null }
}

/** Records that the end date of a grant was dealt with. */
export const recordEnd = (ctx: ServiceContext, row: RequestRow, { note, heir }: Ending): Promise<void> =>
  ctx.database.transaction(async (connection) => {
    const at = ctx.now()
    const { quotaRequest } = connection.prisma
    const found = await lockRequest(connection, row.id)
    if (found?.state !== 'approved') return
    await quotaRequest.update({
      where: { id: row.id },
      data: { state: 'ended', version: { increment: 1 }, endedAt: at, endNote: note, problem: null },
    })
    if (heir !== undefined)
      await quotaRequest.update({ where: { id: heir.id }, data: { beforeValue: heir.before } })
    await writeAudit(connection.query, {
      at,
      actor: ctx.actor,
      cloud: row.cloud,
      action: 'quota-request.end',
      subject: `quota-request:${row.id}`,
      before: { state: row.state, limit: row.grantedValue },
      after: {
        state: 'ended',
        note,
        change: row.backChangeId,
        ...(heir === undefined ? {} : { heir: heir.id }),
      },
    })
  })

/** Records why the end date could not be dealt with yet. The same reason again writes nothing. */
export const recordProblem = async (
  { database }: ServiceContext,
  id: number,
  problem: string,
): Promise<void> => {
  await database.prisma.quotaRequest.updateMany({
    where: { id, OR: [{ problem: null }, { problem: { not: problem } }] },
    data: { problem },
  })
}
