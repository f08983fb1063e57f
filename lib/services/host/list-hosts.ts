import 'server-only'
import { type HostList, hostListSchema } from '@/lib/schemas/api/host'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { keepByDatabase } from '@/lib/server/database/keep-by-database'
import { parseInput } from '@/lib/server/errors/parse-input'
import type { EncodedAnswer } from '@/lib/server/sharing/encoded-answer'
import { shareNext } from '@/lib/server/sharing/share-next'
import { findCloud } from '@/lib/services/cloud/find-cloud'
import { readFleetView } from '@/lib/services/fleet/fleet-view'
import { createHostList } from './host-list'

type Context = Pick<ServiceContext, 'database' | 'now' | 'silentAfterSeconds'>

const cachedList = keepByDatabase<(ctx: Context) => Promise<EncodedAnswer>>('host-lists')

const listOfCloud = (ctx: Context, cloud: { id: number; name: string }): Promise<EncodedAnswer> => {
  const shared = cachedList({ database: ctx.database, key: `${cloud.id} ${cloud.name}` }, () => {
    const list = createHostList({ query: ctx.database.query, cloud })
    return shareNext(async (one) => list(await readFleetView(one, cloud)))
  })
  return shared(ctx)
}

/** All hosts of a cloud, by name, as bytes that are made once per content: what the route sends. */
export const listHostsEncoded = async (ctx: ServiceContext, input: CloudScope): Promise<EncodedAnswer> => {
  requirePermission(ctx, 'fleet.read')
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  return listOfCloud(ctx, cloud)
}

/** The same as an object, for callers in the process. */
export const listHosts = async (ctx: ServiceContext, input: CloudScope): Promise<HostList> => {
  const { identity } = await listHostsEncoded(ctx, input)
  return hostListSchema.parse(JSON.parse(identity.toString()))
}
