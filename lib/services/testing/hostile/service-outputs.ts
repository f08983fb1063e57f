import { FINDING_COLUMNS } from '@/components/finding/finding-columns'
import { GPU_SERVER_COLUMNS } from '@/components/gpu-server/gpu-server-columns'
import { GPU_COLUMNS } from '@/components/gpus/gpu-columns'
import { gpuCsvRows } from '@/components/gpus/gpu-csv-rows'
import { HOST_COLUMNS } from '@/components/host/host-columns'
import { QUOTA_COLUMNS, quotaLines } from '@/components/quota/quota-columns'
import { columnCsv } from '@/components/table/column-csv'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { createGpuStore } from '@/lib/domain/gpu-list/gpu-store'
import { createCloudReader } from '@/lib/openstack/reading/create-cloud-reader'
import { createServiceAccount } from '@/lib/openstack/session/create-service-account'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { listAgents } from '@/lib/services/agent/list-agents'
import { getApiAliases } from '@/lib/services/api-alias/get-api-aliases'
import { exportAudit } from '@/lib/services/audit/export-audit'
import { exportCapacity } from '@/lib/services/capacity/export-capacity'
import { listTestChoices } from '@/lib/services/change/list-test-choices'
import { getCloudReading } from '@/lib/services/cloud-reading/get-cloud-reading'
import { createCloudReading } from '@/lib/services/cloud-reading/read-cloud'
import { exportRefusedDemand } from '@/lib/services/demand/export-refused-demand'
import { getFinding } from '@/lib/services/finding/get-finding'
import { listFindings } from '@/lib/services/finding/list-findings'
import { explainFlavor } from '@/lib/services/flavor/explain-flavor'
import { listFlavors } from '@/lib/services/flavor/list-flavors'
import { offerFlavors } from '@/lib/services/flavor/offer-flavors'
import { getGpu } from '@/lib/services/gpu/get-gpu'
import { getGpuSources } from '@/lib/services/gpu/get-gpu-sources'
import { listGpus } from '@/lib/services/gpu/list-gpus'
import { listGpuServers } from '@/lib/services/gpu-server/list-gpu-servers'
import { getHost } from '@/lib/services/host/get-host'
import { getHostPci } from '@/lib/services/host/get-host-pci'
import { getHostReboot } from '@/lib/services/host/get-host-reboot'
import { listHosts } from '@/lib/services/host/list-hosts'
import { getLimitSetUp } from '@/lib/services/limit-set-up/get-limit-set-up'
import { getMetrics } from '@/lib/services/metrics/get-metrics'
import { listQuotas } from '@/lib/services/quota/list-quotas'
import { searchFleet } from '@/lib/services/search/search-fleet'
import { createServiceWorld, NOW } from '../service-world'
import { storeReport } from '../stored-report'
import type { Output } from './outputs'
import type { CloudServer } from './read-hostile'

type World = ReturnType<typeof createServiceWorld>

const data = (name: string, value: unknown): Output => ({ name, format: 'data', text: JSON.stringify(value) })
const csv = (name: string, text: string): Output => ({ name, format: 'csv', text })

/** What a service refuses is a text of the console, too. */
const answer = async (name: string, ask: () => Promise<unknown>): Promise<Output> => {
  try {
    return data(name, await ask())
  } catch (error) {
    return data(name, error instanceof Error ? error.message : String(error))
  }
}

const hostOutputs = async (
  ctx: ServiceContext,
  cloud: string,
  { host: { name: host }, gpus }: Inventory,
): Promise<Output[]> => {
  const scope = { cloud, host }
  const outputs = [
    data('host', await getHost(ctx, scope)),
    await answer('PCI of a host', () => getHostPci(ctx, scope)),
    await answer('reboot of a host', () => getHostReboot(ctx, scope)),
  ]
  for (const { address } of gpus) {
    outputs.push(data('GPU', await getGpu(ctx, { ...scope, address })))
    outputs.push(await answer('sources of a GPU', () => getGpuSources(ctx, { ...scope, address })))
  }
  return outputs
}

const listOutputs = async (ctx: ServiceContext, cloud: string): Promise<Output[]> => {
  const scope = { cloud }
  const hosts = await listHosts(ctx, scope)
  const findings = await listFindings(ctx, scope)
  const quotas = await listQuotas(ctx, scope)
  const flavors = await listFlavors(ctx, scope)
  const servers = await listGpuServers(ctx, scope)
  const outputs: Output[] = [
    data('hosts', hosts),
    csv('hosts, CSV', columnCsv(HOST_COLUMNS, hosts.hosts, { cloud })),
    csv('findings, CSV', columnCsv(FINDING_COLUMNS, findings.findings, { cloud })),
    ...(quotas.table === null
      ? []
      : [csv('quotas, CSV', columnCsv(QUOTA_COLUMNS, quotaLines(quotas.table), { cloud }))]),
    data('quotas', quotas),
    data('servers', servers),
    csv('servers, CSV', columnCsv(GPU_SERVER_COLUMNS, servers.servers, { cloud })),
    data('flavors', flavors),
    { name: 'metrics', format: 'prometheus', text: await getMetrics(ctx, {}) },
    await answer('agents', () => listAgents(ctx, scope)),
    await answer('aliases', () => getApiAliases(ctx, scope)),
    await answer('reading', () => getCloudReading(ctx, scope)),
    await answer('offers', () => offerFlavors(ctx, scope)),
    await answer('limits', () => getLimitSetUp(ctx, { ...scope, user: 'nova' })),
    await answer('choices of a test boot', () => listTestChoices(ctx, scope)),
    await answer('search', () => searchFleet(ctx, { ...scope, text: 'instance' })),
  ]
  const gpus = await listGpus(ctx, scope)
  const rows = Array(gpus.columns.capacity.length).keys()
  outputs.push(
    csv('GPUs, CSV', columnCsv(GPU_COLUMNS, gpuCsvRows(createGpuStore(gpus), rows, new Map()), { cloud })),
  )
  for (const { id } of findings.findings) outputs.push(await answer('finding', () => getFinding(ctx, { id })))
  for (const { id } of flavors.flavors ?? [])
    outputs.push(await answer('fit of a flavor', () => explainFlavor(ctx, { ...scope, flavor: id })))
  return outputs
}

const exportOutputs = async (ctx: ServiceContext, cloud: string): Promise<Output[]> => {
  const scope = { cloud }
  const outputs: Output[] = []
  for (const by of ['type', 'model', 'aggregate'] as const)
    outputs.push(csv('capacity, CSV', (await exportCapacity(ctx, { ...scope, by } as never)).text))
  outputs.push(csv('refused demand, CSV', (await exportRefusedDemand(ctx, scope)).text))
  return outputs
}

/** The services' answers about a cloud that one console reads into its database. */
export const createServiceOutputs = () => {
  const world: World = createServiceWorld()
  return async (input: FleetFacts, server: CloudServer): Promise<Output[]> => {
    const cloud = { ...(await world.newCloud()), region: 'RegionOne' }
    const account = createServiceAccount({ ...server.config, name: cloud.name, requestsPerSecond: 100_000 })
    const ctx = { ...world.ctx(), accounts: [account] }
    try {
      for (const { inventory, agentVersion } of input.hosts)
        await storeReport(world.database(), {
          cloudId: cloud.id,
          inventory,
          agentVersion: agentVersion ?? '1.0.0',
          seenAt: NOW,
        })
      server.serve(input)
      const reading = createCloudReading({
        database: world.database(),
        cloud,
        reader: createCloudReader({ account }),
        log: ctx.log,
        now: () => NOW,
        silentAfterSeconds: 120,
        staleAfterMs: 300_000,
        agentVersion: '0.1.0',
      })
      await reading.readRound()
      const hosts: Output[] = []
      for (const { inventory } of input.hosts) hosts.push(...(await hostOutputs(ctx, cloud.name, inventory)))
      return [
        ...hosts,
        ...(await listOutputs(ctx, cloud.name)),
        ...(await exportOutputs(ctx, cloud.name)),
        csv('audit, CSV', await auditCsv(ctx, cloud.name)),
      ]
    } finally {
      await account.close()
    }
  }
}

const auditCsv = async (ctx: ServiceContext, cloud: string): Promise<string> => {
  const { parts } = await exportAudit(ctx, { cloud, format: 'csv' })
  let text = ''
  for await (const part of parts) text += part
  return text
}
