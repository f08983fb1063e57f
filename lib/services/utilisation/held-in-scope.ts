import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { Query } from '@/lib/server/database/database'
import { type MarkScope, memberQuery } from '@/lib/services/capacity/marked-members'
import type { HeldVgpu } from './held-vgpus'

type Member = { host: string; address: string | null }

/** Whether a vGPU that a server holds is of a scope: by itself, or by what its pGPU is of now. */
export const heldInScope = async (
  query: Query,
  { cloudId, scope }: { cloudId: number; scope: MarkScope | null },
): Promise<(vgpu: HeldVgpu) => boolean> => {
  if (scope === null) return () => true
  if (scope.by === 'type') return ({ typeId }) => typeId === scope.key
  if (scope.by === 'flavor') return ({ flavor }) => (flavor ?? '') === scope.key
  if (scope.by === 'project') return ({ projectId }) => (projectId ?? '') === scope.key
  const { text, params } = memberQuery(cloudId, scope)
  const members = await query(`WITH ${text} SELECT host, address FROM member`, params, uncheckedRow<Member>())
  const places = new Set(members.map(({ host, address }) => `${host} ${address ?? ''}`))
  return ({ host, address }) => places.has(`${host} ${address}`) || places.has(`${host} `)
}
