import * as z from 'zod'
import type { FindingLink } from '@/lib/schemas/api/fit'
import { SEVERITIES } from '@/lib/schemas/severity'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'
import { SEVERITY_RANK } from '@/lib/services/finding/finding-row'

const linkRow = z.object({
  id: z.int(),
  severity: z.enum(SEVERITIES),
  sentence: z.string(),
  kind: z.string(),
  host: z.string().nullable(),
  address: z.string().nullable(),
  flavorId: z.string().nullable(),
})

// SQL: parts of a JSON column, ordered by rank.
const LIST = `
SELECT id, severity, body->>'sentence' AS sentence, body->'subject'->>'kind' AS kind, host, address,
  CASE WHEN body->'subject'->>'kind' = 'flavor' THEN body->'subject'->>'id' END AS "flavorId"
FROM finding f WHERE cloud_id = $1 AND closed_at IS NULL AND body->'subject'->>'kind' IN ('host', 'pgpu', 'flavor')
ORDER BY ${SEVERITY_RANK}, f.opened_at, f.key`

/** Findings by what they are about, most urgent first. Keys: a flavor's id; a host; a host and an address. */
export type FitFindings = {
  ofFlavor: (id: string) => FindingLink[]
  ofHost: (host: string) => FindingLink[]
  ofPgpu: (host: string, address: string) => FindingLink[]
}

const keyOf = ({ kind, host, address, flavorId }: z.infer<typeof linkRow>): string =>
  kind === 'flavor' ? `flavor ${flavorId}` : `host ${host} ${kind === 'host' ? '' : (address ?? '')}`

/** What is open of flavors, hosts and pGPUs. */
export const loadFitFindings = async (ctx: ServiceContext, cloud: Cloud): Promise<FitFindings> => {
  const byKey = new Map<string, FindingLink[]>()
  for (const row of await ctx.database.query(LIST, [cloud.id], linkRow)) {
    const { id, severity, sentence } = row
    const links = byKey.get(keyOf(row)) ?? []
    links.push({ id, severity, sentence })
    byKey.set(keyOf(row), links)
  }
  const of = (key: string): FindingLink[] => byKey.get(key) ?? []
  return {
    ofFlavor: (id) => of(`flavor ${id}`),
    ofHost: (host) => of(`host ${host} `),
    ofPgpu: (host, address) => of(`host ${host} ${address}`),
  }
}
