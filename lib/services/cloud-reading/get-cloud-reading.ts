import 'server-only'
import { CLOUD_PARTS } from '@/lib/domain/cloud/freshness'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { CloudRound, Prisma } from '@/lib/server/prisma-client/client'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { apiVersionsSchema, type StoredCost, storedCostSchema } from './stored-round'

const PART_COLUMNS = {
  part: true,
  items: true,
  at: true,
  error: true,
  failingSince: true,
} satisfies Prisma.CloudPartSelect
type PartRow = Prisma.CloudPartGetPayload<{ select: typeof PART_COLUMNS }>

const partOf = (part: string, row: PartRow | undefined): CloudReadingDto['parts'][number] => ({
  part,
  items: row?.items ?? null,
  at: row?.at?.toISOString() ?? null,
  error: row?.error ?? null,
  failingSince: row?.failingSince?.toISOString() ?? null,
})

const roundOf = (row: CloudRound, cost: readonly StoredCost[]): NonNullable<CloudReadingDto['round']> => ({
  number: row.number,
  startedAt: row.startedAt.toISOString(),
  tookMs: row.tookMs,
  requests: cost.reduce((sum, { requests }) => sum + requests, 0),
  waitingRequests: row.waitingRequests,
  notes: row.notes,
})

/** The last reading of OpenStack: its duration and requests, and the state of each service and part. */
export const getCloudReading = async (ctx: ServiceContext, input: CloudScope): Promise<CloudReadingDto> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const { prisma } = ctx.database
  const where = { cloudId: cloud.id }
  const round = await prisma.cloudRound.findUnique({ where })
  const parts = round === null ? [] : await prisma.cloudPart.findMany({ where, select: PART_COLUMNS })
  const costs = storedCostSchema.parse(round?.cost ?? [])
  const versions = apiVersionsSchema.parse(round?.versions ?? {})
  return {
    cloud: cloud.name,
    region: cloud.region,
    round: round === null ? null : roundOf(round, costs),
    services: costs.map((cost) => ({
      service: cost.service,
      version: cost.service === 'neutron' ? null : versions[cost.service],
      requests: cost.requests,
      ms: cost.ms,
      error: cost.error,
      lastError: cost.lastError,
      lastErrorAt: cost.lastErrorAt,
    })),
    parts:
      parts.length === 0
        ? []
        : CLOUD_PARTS.map((part) =>
            partOf(
              part,
              parts.find((row) => row.part === part),
            ),
          ),
  }
}
