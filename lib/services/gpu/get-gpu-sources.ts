import 'server-only'
import type { Fleet, JoinedHost, JoinedPgpu } from '@/lib/domain/cloud/fleet-types'
import { hostAggregates } from '@/lib/domain/cloud/host-aggregates'
import { describeSources } from '@/lib/domain/fit/describe-sources'
import { isPci } from '@/lib/domain/pgpu/is-pci'
import { type GpuScope, gpuScopeSchema } from '@/lib/schemas/api/scope'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { factsOfCloud } from '@/lib/services/cloud-reading/facts-of-cloud'
import { joinStoredHost, loadApiAliasSources } from '@/lib/services/cloud-reading/join-stored-host'
import { findingRow, LISTED_COLUMNS, SEVERITY_RANK } from '@/lib/services/finding/finding-row'
import { trackFindings } from '@/lib/services/finding/track-findings'
import { describeStoredHost } from '@/lib/services/stored-host/describe-stored-host'
import { noSuchGpu } from './no-such-gpu'

// SQL: as lists of findings.
const FINDINGS = `
SELECT ${LISTED_COLUMNS} FROM finding f
WHERE f.cloud_id = $1 AND f.host = $2 AND (f.address = $3 OR f.body->'subject'->>'name' = ANY($4::text[]))
  AND f.closed_at IS NULL
ORDER BY ${SEVERITY_RANK}, f.opened_at, f.key`

const serviceOf = ({ service }: JoinedHost): NonNullable<GpuSources['sources']>['service'] =>
  service.value === null
    ? { status: null, state: null, disabledReason: null, availabilityZone: null, because: service.because }
    : {
        status: service.value.status,
        state: service.value.state,
        disabledReason: service.value.disabledReason,
        availabilityZone: service.value.availabilityZone,
        because: null,
      }

const sourcesOf = (fleet: Fleet, joined: JoinedHost, entry: JoinedPgpu): GpuSources['sources'] => {
  const { rows, times, advertised, stranded, occupants } = describeSources(fleet, joined, entry)
  return {
    rows: [...rows],
    times,
    advertised: {
      ...advertised,
      classes: [...advertised.classes],
      traits: advertised.traits === null ? null : [...advertised.traits],
    },
    stranded,
    occupants: [...occupants],
    service: serviceOf(joined),
    aggregates: hostAggregates(fleet, joined)?.map(({ name }) => name) ?? null,
    providers: entry.providers.map(({ provider, address }) => ({
      name: provider.name,
      uuid: provider.uuid,
      generation: provider.generation,
      address,
    })),
  }
}

/** What hardware, nova.conf, Placement and libvirt say of one pGPU, and what was found about it. */
export const getGpuSources = async (ctx: ServiceContext, input: GpuScope): Promise<GpuSources> => {
  requirePermission(ctx, 'fleet.read')
  const { host, address, ...scope } = parseInput(gpuScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const stored = await describeStoredHost(ctx, { cloud, host })
  const pgpu = stored.description.pgpus.find((found) => found.address === address)
  if (pgpu === undefined) throw noSuchGpu(stored, address)
  const facts = await factsOfCloud(ctx, cloud)
  // Flavors reach it by an alias of Nova's API, which other hosts tell.
  const api = isPci(pgpu) ? await loadApiAliasSources(ctx, cloud) : null
  const fleet = facts === null ? null : joinStoredHost(ctx, { facts: facts.facts, stored, api })
  const [joined] = fleet?.hosts ?? []
  const entry = joined?.pgpus.find((joinedPgpu) => joinedPgpu.pgpu.address === address)
  const names = entry?.providers.map(({ provider }) => provider.name) ?? []
  const { prisma, query } = ctx.database
  const round = await prisma.cloudRound.findUnique({
    where: { cloudId: cloud.id },
    select: { startedAt: true },
  })
  const rows = await query(FINDINGS, [cloud.id, stored.row.name, address, names], findingRow)
  return {
    cloud: cloud.name,
    host: stored.row.name,
    address,
    readAt: round?.startedAt.toISOString() ?? null,
    sources:
      fleet === null || joined === undefined || entry === undefined ? null : sourcesOf(fleet, joined, entry),
    findings: await trackFindings(ctx, { cloudId: cloud.id, rows }),
  }
}
