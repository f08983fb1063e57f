import type { TrackedFinding } from '@/lib/schemas/api/finding'
import type { PrismaConnection } from '@/lib/server/database/database'

/** Of each muted kind, by its code: who muted it, why and until when. */
export type FindingMutes = ReadonlyMap<string, NonNullable<TrackedFinding['mute']> & { until: string }>

/** The kinds of findings of a cloud that are muted at a moment. */
export const loadFindingMutes = async (
  { prisma }: PrismaConnection,
  { cloudId, now }: { cloudId: number; now: Date },
): Promise<FindingMutes> => {
  const rows = await prisma.findingMute.findMany({
    where: { cloudId, until: { gt: now } },
    orderBy: { code: 'asc' },
  })
  return new Map(
    rows.map(({ code, note, mutedBy, mutedAt, until }) => [
      code,
      { by: mutedBy, at: mutedAt.toISOString(), until: until.toISOString(), note },
    ]),
  )
}
