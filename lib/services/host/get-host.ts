import 'server-only'
import type { Pgpu } from '@/lib/domain/pgpu/types'
import { typeRange } from '@/lib/domain/vgpu-type/type-range'
import { CONTRACT_REVISION } from '@/lib/schemas/agent/revision'
import { type HostDetail, hostFactsSchema } from '@/lib/schemas/api/host'
import { type HostScope, hostScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { listEnrollmentRequests } from '@/lib/services/enrollment-request/list-enrollment-requests'
import { isSilent } from '@/lib/services/fleet/silence'
import { describeStoredHost, type StoredHost } from '@/lib/services/stored-host/describe-stored-host'

const rangeOf = ({ supportedTypes }: Pgpu): [number, number] | null => {
  const range = typeRange(supportedTypes ?? [])
  return range === null ? null : [...range]
}

type StrandedRow = { address: string; stranded: number | null }

const pgpusOf = ({ description }: StoredHost, words: readonly StrandedRow[]): HostDetail['pgpus'] =>
  description.pgpus.map((pgpu) => ({
    address: pgpu.address,
    model: pgpu.model,
    framework: pgpu.framework,
    isMigBacked: pgpu.isMigBacked,
    numaNode: pgpu.numaNode,
    currentType: pgpu.currentType,
    numbers: pgpu.numbers,
    cells: pgpu.cells,
    findings: pgpu.findings,
    typeRange: pgpu.currentType === null ? rangeOf(pgpu) : null,
    stranded: words.find(({ address }) => address === pgpu.address)?.stranded ?? null,
  }))

const novaConfigOf = ({ inventory, description }: StoredHost): HostDetail['novaConfig'] =>
  inventory.novaConfig === null
    ? null
    : {
        deployment: inventory.novaConfig.deployment,
        files: inventory.novaConfig.files,
        options: description.novaOptions ?? [],
      }

/** One host with its pGPUs, guests, problems and the options of nova.conf that matter, from its last report. */
export const getHost = async (ctx: ServiceContext, input: HostScope): Promise<HostDetail> => {
  requirePermission(ctx, 'fleet.read')
  const { host, ...scope } = parseInput(hostScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const stored = await describeStoredHost(ctx, { cloud, host })
  const { row, inventory, description } = stored
  const stranded = await ctx.database.prisma.pgpuCloud.findMany({
    where: { hostId: row.id },
    select: { address: true, stranded: true },
  })
  const requests = await listEnrollmentRequests(ctx.database.query, { cloudId: cloud.id, now: ctx.now() })
  const { nvidiaDriverVersion, numaNodes } = inventory.host
  return {
    cloud: cloud.name,
    name: row.name,
    seenAt: row.seenAt?.toISOString() ?? null,
    reportedAt: row.reportedAt?.toISOString() ?? null,
    takenAt: row.takenAt?.toISOString() ?? null,
    isSilent: isSilent(ctx, row.seenAt),
    isEnrollmentWaiting: requests.some(({ host: name, state }) => name === row.name && state === 'waiting'),
    ...hostFactsSchema.parse(inventory.host),
    driverVersion: nvidiaDriverVersion,
    agentVersion: row.agentVersion,
    isAgentNewer: row.contractRevision > CONTRACT_REVISION,
    droppedReports: row.droppedReports,
    allowedCommands: inventory.host.allowedCommands ?? null,
    novaComputeStartedAt: inventory.host.novaCompute?.startedAt ?? null,
    novaComputeVersion: inventory.host.novaCompute?.version ?? null,
    numaNodes,
    pgpus: pgpusOf(stored, stranded),
    guests:
      description.guests?.map(({ pgpuAddresses, holdings: _, ...occupant }) => ({
        ...occupant,
        gpus: pgpuAddresses,
      })) ?? null,
    problems: row.problems,
    findings: description.findings,
    novaConfig: novaConfigOf(stored),
  }
}
