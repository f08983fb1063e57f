import 'server-only'
import * as z from 'zod'
import { type RequestStatus, requestStatus } from '@/lib/domain/quota-request/request-status'
import { changeStateSchema } from '@/lib/schemas/api/change-list'
import type { QuotaRequest as RequestDto } from '@/lib/schemas/api/quota-request'
import { type ChangeState, REQUEST_STATES, type RequestState } from '@/lib/schemas/states'
import type { Connection, PrismaConnection } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma, QuotaRequest } from '@/lib/server/prisma-client/client'

export type RequestRow = Omit<QuotaRequest, 'state'> & {
  cloud: string
  state: RequestState
  /** Of the change that writes the limit, and of the one that restores it; null: there is none. */
  changeState: ChangeState | null
  changeEndedAt: Date | null
  backChangeState: ChangeState | null
}

export const noSuchRequest = (id: number): ServiceError =>
  new ServiceError('not_found', `There is no request ${id}. Reload the list.`, { field: 'id' })

const requestState = z.enum(REQUEST_STATES)
const changeState = z.nullable(changeStateSchema)

type WithChanges = Pick<QuotaRequest, 'changeId' | 'backChangeId'>
type ChangeStates = Pick<RequestRow, 'changeState' | 'changeEndedAt' | 'backChangeState'>

/** The states of the changes of requests. */
const loadChangeStates = async (
  prisma: PrismaConnection['prisma'],
  rows: readonly WithChanges[],
): Promise<(row: WithChanges) => ChangeStates> => {
  const ids = rows.flatMap(({ changeId, backChangeId }) => [changeId ?? [], backChangeId ?? []].flat())
  const changes =
    ids.length === 0
      ? []
      : await prisma.change.findMany({
          where: { id: { in: ids } },
          select: { id: true, state: true, endedAt: true },
        })
  const changeOf = new Map(changes.map((change) => [change.id, change]))
  return ({ changeId, backChangeId }) => {
    const [change, back] = [changeOf.get(changeId ?? 0), changeOf.get(backChangeId ?? 0)]
    return {
      changeState: changeState.parse(change?.state ?? null),
      changeEndedAt: change?.endedAt ?? null,
      backChangeState: changeState.parse(back?.state ?? null),
    }
  }
}

/** Requests with the states of their changes. */
export const loadRequests = async (
  { prisma }: PrismaConnection,
  selection: Pick<Prisma.QuotaRequestFindManyArgs, 'where' | 'orderBy' | 'take'>,
): Promise<RequestRow[]> => {
  const rows = await prisma.quotaRequest.findMany({
    ...selection,
    include: { cloud: { select: { name: true } } },
  })
  const statesOf = await loadChangeStates(prisma, rows)
  return rows.map(({ cloud, state, ...row }) => ({
    ...row,
    ...statesOf(row),
    cloud: cloud.name,
    state: requestState.parse(state),
  }))
}

/** What the requests of a cloud are searched, grouped and counted by, in the order of their ids. */
export type RequestEntry = Pick<
  RequestRow,
  'id' | 'state' | 'projectName' | 'resourceName' | 'reason' | 'madeBy'
> & { status: RequestStatus }

/** Of all requests of a cloud, thousands, of which a page has a few. */
export const loadRequestEntries = async (
  { prisma }: PrismaConnection,
  cloudId: number,
): Promise<RequestEntry[]> => {
  const rows = await prisma.quotaRequest.findMany({
    where: { cloudId },
    orderBy: { id: 'asc' },
    select: {
      id: true,
      state: true,
      projectName: true,
      resourceName: true,
      reason: true,
      madeBy: true,
      endNote: true,
      changeId: true,
      backChangeId: true,
    },
  })
  const statesOf = await loadChangeStates(prisma, rows)
  return rows.map((row) => {
    const state = requestState.parse(row.state)
    const { id, projectName, resourceName, reason, madeBy } = row
    const status = requestStatus({ ...row, ...statesOf(row), state })
    return { id, state, projectName, resourceName, reason, madeBy, status }
  })
}

export const findRequest = async (
  connection: PrismaConnection,
  id: number,
): Promise<RequestRow | undefined> => (await loadRequests(connection, { where: { id } }))[0]

/** The request, which no other transaction decides until this one ends. */
export const lockRequest = async (connection: Connection, id: number): Promise<RequestRow | undefined> => {
  await lockRow(connection.query, 'quota_request', id)
  return findRequest(connection, id)
}

/** When the grant was rolled back; null unless the request is open again for that reason. */
export const revertedAtOf = (row: RequestRow): string | null =>
  requestStatus(row) === 'reverted' ? (row.changeEndedAt?.toISOString() ?? null) : null

export const requestDto = (row: RequestRow): RequestDto => ({
  id: row.id,
  version: row.version,
  cloud: row.cloud,
  projectId: row.projectId,
  projectName: row.projectName,
  resourceName: row.resourceName,
  value: row.value,
  until: row.until?.toISOString() ?? null,
  reason: row.reason,
  status: requestStatus(row),
  madeBy: row.madeBy,
  madeAt: row.madeAt.toISOString(),
  decidedBy: row.decidedBy,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  answer: row.answer,
  grantedValue: row.grantedValue,
  grantedUntil: row.grantedUntil?.toISOString() ?? null,
  beforeValue: row.beforeValue,
  change: row.changeId === null ? null : { id: row.changeId, state: row.changeState ?? 'gone' },
  backChange:
    row.backChangeId === null ? null : { id: row.backChangeId, state: row.backChangeState ?? 'gone' },
  revertedAt: revertedAtOf(row),
  endedAt: row.endedAt?.toISOString() ?? null,
  endNote: row.endNote,
  problem: row.problem,
})
