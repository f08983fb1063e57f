import 'server-only'
import * as z from 'zod'
import type { Query } from '@/lib/server/database/database'

/** The last history row of a guest before the requested moment. */
const holderRow = z.object({
  hostId: z.int(),
  host: z.string(),
  guest: z.string(),
  /** The server's name, else libvirt's. */
  server: z.string(),
  flavor: z.string().nullable(),
  projectId: z.string().nullable(),
  project: z.string().nullable(),
  addresses: z.array(z.string()),
  typeIds: z.array(z.string()),
  /** Creator of the server; null: not reported, or the server is deleted. */
  user: z.string().nullable(),
  /** Since when the host reports it with this server. */
  at: z.date(),
})
type Holder = z.infer<typeof holderRow>

/** A vGPU that a server holds, as the history has it at the requested moment. */
export type HeldVgpu = Omit<Holder, 'addresses' | 'typeIds'> & {
  address: string
  typeId: string
  /** The type's name, else its id. */
  type: string
}

// SQL: the last history row of each guest is found with a lateral join.
const HOLDERS = `
WITH subject AS (
  SELECT g.host_id, g.uuid::uuid AS uuid FROM guest g JOIN host h ON h.id = g.host_id WHERE h.cloud_id = $1
  UNION SELECT c.host_id, c.uuid FROM guest_change c JOIN host h ON h.id = c.host_id
  WHERE h.cloud_id = $1 AND c.at >= $2::timestamptz
)
SELECT s.host_id AS "hostId", h.name AS host, s.uuid AS guest, last.name AS server, o.flavor_name AS flavor,
  o.project_id AS "projectId", o.project_name AS project, v.addresses, v.type_ids AS "typeIds", g.user_name AS "user", last.at
FROM subject s CROSS JOIN LATERAL (
  SELECT c.at, c.name, c.owner_id, c.held_id FROM guest_change c
  WHERE c.host_id = s.host_id AND c.uuid = s.uuid AND c.at < $2::timestamptz
  ORDER BY c.at DESC, c.enrolment DESC, c.boot DESC, c.sequence DESC LIMIT 1) last
JOIN guest_owner o ON o.id = last.owner_id JOIN held_vgpus v ON v.id = last.held_id
JOIN host h ON h.id = s.host_id LEFT JOIN guest g ON g.host_id = s.host_id AND g.uuid = s.uuid::text
WHERE cardinality(v.addresses) > 0 ORDER BY h.name COLLATE "C", s.uuid`

const TYPES = `SELECT key, label FROM roll_up_label WHERE cloud_id = $1 AND dimension = 'type'`
const typeRow = z.object({ key: z.string(), label: z.string() })

/** Every vGPU that a server of a cloud held at a moment; whole cards have no type and are left out. */
export const loadHeldVgpus = async (
  query: Query,
  { cloudId, asOf }: { cloudId: number; asOf: Date },
): Promise<HeldVgpu[]> => {
  const holders = await query(HOLDERS, [cloudId, asOf], holderRow)
  const labels = await query(TYPES, [cloudId], typeRow)
  const types = new Map(labels.map(({ key, label }) => [key, label]))
  return holders.flatMap(({ addresses, typeIds, ...holder }) =>
    addresses.flatMap((address, index) => {
      const typeId = typeIds[index] ?? ''
      return typeId === '' ? [] : [{ ...holder, address, typeId, type: types.get(typeId) ?? typeId }]
    }),
  )
}
