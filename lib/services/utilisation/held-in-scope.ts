import 'server-only'
import * as z from 'zod'
import type { Query } from '@/lib/server/database/database'
import { type MarkScope, memberQuery } from '@/lib/services/capacity/marked-members'
import type { HeldVgpu } from './held-vgpus'

// SQL: memberQuery gives the members of a scope as the text of a common table expression.
const memberRow = z.object({ host: z.string(), address: z.string().nullable() })

/** Whether a vGPU that a server uses belongs to a scope, directly or through the current group of its pGPU. */
export const heldInScope = async (
  query: Query,
  { cloudId, scope }: { cloudId: number; scope: MarkScope | null },
): Promise<(vgpu: HeldVgpu) => boolean> => {
  if (scope === null) return () => true
  if (scope.by === 'type') return ({ typeId }) => typeId === scope.key
  if (scope.by === 'flavor') return ({ flavor }) => (flavor ?? '') === scope.key
  if (scope.by === 'project') return ({ projectId }) => (projectId ?? '') === scope.key
  const { text, params } = memberQuery(cloudId, scope)
  const members = await query(`WITH ${text} SELECT host, address FROM member`, params, memberRow)
  const places = new Set(members.map(({ host, address }) => `${host} ${address ?? ''}`))
  return ({ host, address }) => places.has(`${host} ${address}`) || places.has(`${host} `)
}
