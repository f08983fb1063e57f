import 'server-only'
import type { EnteredAliases } from '@/lib/domain/cloud/api-aliases'
import { readStoredAliasLines } from '@/lib/domain/nova-config/parse-alias-lines'
import type { PrismaConnection } from '@/lib/server/database/database'

/** What an admin entered for the aliases of Nova's API; null: nothing. */
export const loadEnteredAliases = async (
  { prisma }: PrismaConnection,
  cloudId: number,
): Promise<EnteredAliases | null> => {
  const row = await prisma.apiAlias.findUnique({ where: { cloudId } })
  const stored = row === null ? null : readStoredAliasLines(row.text)
  return row === null || stored === null
    ? null
    : { ...stored, by: row.enteredBy, at: row.enteredAt.toISOString() }
}
