import * as z from 'zod'
import type { SearchResults } from '@/lib/schemas/api/search-results'
import type { ServiceContext } from '@/lib/server/context/service-context'
import type { Cloud } from '@/lib/services/cloud/find-cloud'

/** Of each kind. */
export const MAX_RESULTS = 20

type GuestHit = SearchResults['guests'][number]

const guestRow = z.object({
  host: z.string(),
  uuid: z.string(),
  name: z.string(),
  serverName: z.string().nullable(),
  projectName: z.string().nullable(),
  pgpuAddresses: z.array(z.string()),
})

const COLUMNS = `h.name AS host, g.uuid, g.name, g.server_name AS "serverName", g.project_name AS "projectName",
  g.pgpu_addresses AS "pgpuAddresses"`

// SQL: the view of current hosts, and texts that are searched across columns.
const BY_UUID = `
SELECT ${COLUMNS} FROM guest g JOIN current_host h ON h.id = g.host_id
WHERE h.cloud_id = $1 AND g.uuid = $2 ORDER BY h.name LIMIT ${MAX_RESULTS}`

/*
 * A scan of the cloud's guests (0.4 s for 320,000, measured), because parts of names need an index that PGlite does not
 * carry. The line break keeps a text from matching across two fields.
 */
const BY_TEXT = `
SELECT ${COLUMNS} FROM guest g JOIN current_host h ON h.id = g.host_id
WHERE h.cloud_id = $1
  AND strpos(lower(concat_ws(E'\\n', g.name, g.server_name, g.uuid, g.project_name, g.project_id)), $2) > 0
ORDER BY (lower(g.server_name) = $2 OR lower(g.name) = $2) DESC NULLS LAST,
  starts_with(lower(coalesce(g.server_name, g.name)), $2) DESC, coalesce(g.server_name, g.name), h.name
LIMIT ${MAX_RESULTS}`

/** 32 hex digits as OpenStack prints a uuid now and then, in the stored form; null for anything else. */
const wholeUuid = (text: string): string | null => {
  const digits = text.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/.test(digits)) return null
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** `text` is in lower case. A whole uuid that is no guest's may still be a project's. */
export const findGuests = async (
  ctx: ServiceContext,
  { cloud, text }: { cloud: Cloud; text: string },
): Promise<GuestHit[]> => {
  const uuid = wholeUuid(text)
  const byUuid = uuid === null ? [] : await ctx.database.query(BY_UUID, [cloud.id, uuid], guestRow)
  return byUuid.length > 0 ? byUuid : ctx.database.query(BY_TEXT, [cloud.id, text], guestRow)
}
