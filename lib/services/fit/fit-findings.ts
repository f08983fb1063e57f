import type { FindingLink } from '@/lib/schemas/api/fit'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { uncheckedRow } from '@/lib/server/database/row'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

type Row = FindingLink & {
  kind: string
  host: string | null
  address: string | null
  flavorId: string | null
}

const LIST = `
SELECT id, severity, body->>'sentence' AS sentence, body->'subject'->>'kind' AS kind, host, address,
  CASE WHEN body->'subject'->>'kind' = 'flavor' THEN body->'subject'->>'id' END AS "flavorId"
FROM finding WHERE cloud_id = $1 AND closed_at IS NULL AND body->'subject'->>'kind' IN ('host', 'pgpu', 'flavor')
ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, opened_at, key`

/** Findings by what they are about, most urgent first. Keys: a flavor's id; a host; a host and an address. */
export type FitFindings = {
  ofFlavor: (id: string) => FindingLink[]
  ofHost: (host: string) => FindingLink[]
  ofPgpu: (host: string, address: string) => FindingLink[]
}

const keyOf = ({ kind, host, address, flavorId }: Row): string =>
  kind === 'flavor' ? `flavor ${flavorId}` : `host ${host} ${kind === 'host' ? '' : (address ?? '')}`

/** What is open of flavors, hosts and pGPUs. */
export const loadFitFindings = async (ctx: ServiceContext, cloud: Cloud): Promise<FitFindings> => {
  const byKey = new Map<string, FindingLink[]>()
  for (const row of await ctx.database.query(LIST, [cloud.id], uncheckedRow<Row>())) {
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
