import 'server-only'
import { listText } from '@/lib/domain/wording'
import type { RemovedHostList } from '@/lib/schemas/api/host-removal'
import { type RemoveHosts, removeHostsScopeSchema } from '@/lib/schemas/api/host-removal-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { describeActor, type ServiceContext } from '@/lib/server/context/service-context'
import type { Connection, Query } from '@/lib/server/database/database'
import { retryDeadlock } from '@/lib/server/database/deadlock'
import { lockHostsByName } from '@/lib/server/database/lock-row'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma } from '@/lib/server/prisma-client/client'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { isSilent } from '@/lib/services/fleet/silence'
import { logRevokedAgents } from '@/lib/services/restore/log-revocation'
import { listRemovedRows } from '@/lib/services/stored-host/removed-host-rows'
import { activeChangeOn, endHost } from './end-host'

/** Without a log where a command removes hosts: its output is not the log of the console. */
type RemovalContext = Pick<ServiceContext, 'database' | 'actor' | 'now' | 'silentAfterSeconds'> &
  Partial<Pick<ServiceContext, 'log'>>

const HOST = {
  id: true,
  name: true,
  seenAt: true,
  gpuCount: true,
  removedAt: true,
} satisfies Prisma.HostSelect
type RemovableHost = Prisma.HostGetPayload<{ select: typeof HOST }>

const lockHosts = async (
  { query, prisma }: Connection,
  cloud: Cloud,
  names: readonly string[],
): Promise<RemovableHost[]> => {
  await lockHostsByName(query, { cloudId: cloud.id, names })
  const rows = await prisma.host.findMany({
    where: { cloudId: cloud.id, name: { in: [...names] } },
    select: HOST,
    orderBy: { id: 'asc' },
  })
  const unknown = names.filter((name) => rows.every((row) => row.name !== name))
  if (unknown.length > 0)
    throw new ServiceError(
      'not_found',
      `Cloud "${cloud.name}" has no host named ${listText(unknown)}. Check the name.`,
      { field: 'hosts' },
    )
  return rows
}

const refuseReporting = (ctx: RemovalContext, rows: readonly RemovableHost[]): void => {
  const reporting = rows.filter(({ seenAt }) => !isSilent(ctx, seenAt)).map(({ name }) => name)
  if (reporting.length === 0) return
  const verb = reporting.length === 1 ? 'reports' : 'report'
  throw new ServiceError(
    'precondition',
    `${listText(reporting)} still ${verb}. Stop the agent first (systemctl disable --now sliceboard-agent), or set force to remove a host that reports.`,
    { field: 'force' },
  )
}

const refuseActiveChange = async (
  query: Query,
  cloud: Cloud,
  rows: readonly RemovableHost[],
): Promise<void> => {
  const change = await activeChangeOn(query, { cloudId: cloud.id, hosts: rows.map(({ name }) => name) })
  if (change === null) return
  throw new ServiceError(
    'conflict',
    `Change ${change.id} ("${change.title}") is active on ${change.host}. Finish the change or roll it back, then remove the host.`,
    { field: 'hosts' },
  )
}

/**
 * Removes hosts, all or none: they disappear from lists, totals, metrics and alerts, their history ends, and their
 * credentials are revoked. Removing a removed host again changes nothing and answers the same.
 */
export const removeHosts = async (ctx: RemovalContext, input: RemoveHosts): Promise<RemovedHostList> => {
  requirePermission(ctx, 'host.remove')
  const { hosts, reason, force, ...scope } = parseInput(removeHostsScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const names = [...new Set(hosts)]
  const at = ctx.now()
  const actor = describeActor(ctx.actor)
  const revokedIds = await retryDeadlock(() =>
    ctx.database.transaction(async (connection) => {
      const { query } = connection
      const revoked: number[] = []
      const current = (await lockHosts(connection, cloud, names)).filter(
        ({ removedAt }) => removedAt === null,
      )
      if (!force) refuseReporting(ctx, current)
      await refuseActiveChange(query, cloud, current)
      for (const { id, name, seenAt, gpuCount } of current) {
        const ended = await endHost(connection, {
          cloudId: cloud.id,
          host: { id, name },
          at,
          historyEndsAt: at,
          actor,
          reason,
          mergedIntoId: null,
          note: `Host removed: ${reason}`,
        })
        await writeAudit(query, {
          at,
          actor: ctx.actor,
          cloud: cloud.name,
          action: 'host.remove',
          subject: `host:${name}`,
          before: { lastSeenAt: seenAt?.toISOString() ?? null, gpus: gpuCount },
          after: { reason, isForced: force, ...ended },
        })
        revoked.push(...ended.revokedCredentialIds)
      }
      return revoked
    }),
  )
  if (ctx.log !== undefined) logRevokedAgents(ctx.log, { at, ids: revokedIds })
  const removed = await listRemovedRows(ctx.database, cloud.id)
  return { cloud: cloud.name, hosts: removed.filter(({ name }) => names.includes(name)) }
}
