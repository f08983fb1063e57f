import 'server-only'
import type { EnteredDriver } from '@/lib/domain/cloud/known-driver'
import { quotaDriverSchema } from '@/lib/schemas/api/quota-driver'
import type { PrismaConnection } from '@/lib/server/database/database'

/** What an admin entered for the quota driver of Nova's API; null: nothing. */
export const loadEnteredDriver = async (
  { prisma }: PrismaConnection,
  cloudId: number,
): Promise<EnteredDriver | null> => {
  const row = await prisma.quotaDriver.findUnique({ where: { cloudId } })
  return row === null
    ? null
    : { driver: quotaDriverSchema.parse(row.driver), by: row.enteredBy, at: row.enteredAt.toISOString() }
}
