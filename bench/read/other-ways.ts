import { execFile } from 'node:child_process'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import type { ServiceAccount } from '@/lib/openstack/session/types'
import { ask } from '../fleet/measure'
import { median } from '../quantile'

export type Way = { calls: number; ms: number }

const listSchema = z.object({ resource_providers: z.array(z.object({ uuid: z.string(), name: z.string() })) })

/** Placement with one token for all calls, which a loop in Python with keystoneauth has as well. */
export const openPlacement = async (account: ServiceAccount) => {
  const placementUrl = await account.endpoint('placement')
  const { id } = await account.token('project')
  const headers = { 'x-auth-token': id, 'openstack-api-version': 'placement 1.39' }
  const agent = new Agent({ keepAlive: true })
  const get = async (path: string): Promise<number> => {
    const { status, ms } = await ask(new URL(path, placementUrl), { agent, headers })
    if (status !== 200) throw new Error(`Placement answered ${status} to ${path}.`)
    return ms
  }
  const listPgpus = async (): Promise<string[]> => {
    const answer = await fetch(new URL('/resource_providers', placementUrl), { headers })
    const { resource_providers: providers } = listSchema.parse(await answer.json())
    return providers.filter(({ name }) => name.includes('_pci_')).map(({ uuid }) => uuid)
  }
  return { get, listPgpus }
}

type Placement = Awaited<ReturnType<typeof openPlacement>>

/** The list, then inventories and allocations of each pGPU's provider, one call after the other. */
export const measureLoop = async (placement: Placement): Promise<Way> => {
  let ms = await placement.get('/resource_providers')
  const uuids = await placement.listPgpus()
  for (const uuid of uuids) {
    ms += await placement.get(`/resource_providers/${uuid}/inventories`)
    ms += await placement.get(`/resource_providers/${uuid}/allocations`)
  }
  return { calls: 1 + 2 * uuids.length, ms }
}

/** The cheapest single question: all pGPUs with room, with capacity and use; no names, no consumers, no full card. */
export const measureCandidates = async (placement: Placement): Promise<Way> => {
  const times: number[] = []
  for (let turn = 0; turn < 7; turn += 1) {
    times.push(await placement.get('/allocation_candidates?resources=VGPU:1'))
  }
  return { calls: 1, ms: median(times) }
}

/** `measured` calls of the client, the rest by their mean. */
export const measureClient = async (
  uuids: readonly string[],
  { configFile, measured }: { configFile: string; measured: number },
): Promise<Way & { measuredMs: number }> => {
  const run = promisify(execFile)
  const env = { ...process.env, OS_CLIENT_CONFIG_FILE: configFile, OS_CLOUD: 'bench', PATH: '/usr/bin:/bin' }
  const timed = async (args: string[]): Promise<number> => {
    const startedAt = performance.now()
    await run(join('/usr/bin', 'openstack'), ['resource', 'provider', ...args, '-f', 'json'], { env })
    return performance.now() - startedAt
  }
  let measuredMs = 0
  for (const uuid of uuids.slice(0, measured / 2)) {
    measuredMs += await timed(['inventory', 'list', uuid])
    measuredMs += await timed(['show', '--allocations', uuid])
  }
  const calls = 1 + 2 * uuids.length
  return { calls, ms: (measuredMs / measured) * calls, measuredMs }
}
