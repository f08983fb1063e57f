import * as z from 'zod'
import type { ApiVersions } from '@/lib/domain/cloud/types'
import type { RoundCost } from '@/lib/openstack/reading/types'

/** The column `cost`: cost of a service in the last round, and its last error in any round. */
export const storedCostSchema = z.array(
  z.object({
    service: z.enum(['keystone', 'placement', 'nova', 'neutron']),
    requests: z.number(),
    ms: z.number(),
    error: z.string().nullable(),
    lastError: z.string().nullable(),
    lastErrorAt: z.string().nullable(),
  }) satisfies z.ZodType<RoundCost>,
)
export type StoredCost = z.infer<typeof storedCostSchema>[number]

const version = z.string().nullable().default(null)

/** The column `versions`. */
export const apiVersionsSchema = z.object({
  nova: version,
  placement: version,
  keystone: version,
}) satisfies z.ZodType<ApiVersions>
