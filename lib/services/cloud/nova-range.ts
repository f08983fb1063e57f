import 'server-only'
import * as z from 'zod'
import { type NovaRange, novaRange } from '@/lib/domain/nova-config/nova-releases'
import type { PrismaConnection } from '@/lib/server/database/database'

const versionsSchema = z.object({ nova: z.string().nullable().default(null) })

/** Which releases the Nova of a cloud may be, by the last reading round; null: not known. */
export const loadNovaRange = async (
  { prisma }: PrismaConnection,
  cloudId: number,
): Promise<NovaRange | null> => {
  const round = await prisma.cloudRound.findUnique({ where: { cloudId }, select: { versions: true } })
  return novaRange(versionsSchema.parse(round?.versions ?? {}).nova)
}
