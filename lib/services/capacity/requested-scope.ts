import 'server-only'
import type * as z from 'zod'
import type { capacityMarksScopeSchema } from '@/lib/schemas/api/capacity-inputs'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { findHost } from '@/lib/services/stored-host/find-host'
import type { MarkScope } from './marked-members'

type Requested = Pick<z.output<typeof capacityMarksScopeSchema>, 'by' | 'key' | 'host' | 'address'>

/** The requested group, host or pGPU; null: the whole cloud. */
export const requestedScope = async (
  ctx: ServiceContext,
  cloud: Cloud,
  { by, key, host, address }: Requested,
): Promise<MarkScope | null> => {
  if (host !== null) return { by: 'host', key: (await findHost(ctx, { cloud, host })).name, address }
  return by === 'all' || key === null ? null : { by, key }
}
