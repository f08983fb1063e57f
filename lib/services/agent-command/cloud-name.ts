import 'server-only'
import type { Query } from '@/lib/server/database/database'

/** What the audit calls a cloud. */
export const cloudName = async (query: Query, cloudId: number): Promise<string> => {
  const [cloud] = await query<{ name: string }>('SELECT name FROM cloud WHERE id = $1', [cloudId])
  if (cloud === undefined) throw new Error(`there is no cloud ${cloudId}`)
  return cloud.name
}
