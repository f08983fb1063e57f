import 'server-only'
import * as z from 'zod'
import { type NovaRange, novaRange } from '@/lib/domain/nova-config/nova-releases'
import type { PrismaConnection } from '@/lib/server/database/database'
import { shareByKey } from '@/lib/server/sharing/share-by-key'

const versionsSchema = z.object({ nova: z.string().nullable().default(null) })

/** Each report needs the range, so reports that arrive together share one statement. */
const share = shareByKey('nova-range')

/** Which releases the Nova of a cloud may be, by the last reading round; null: not known. */
export const loadNovaRange = (database: PrismaConnection, cloudId: number): Promise<NovaRange | null> =>
  share(database, String(cloudId), async () => {
    const where = { cloudId }
    const round = await database.prisma.cloudRound.findUnique({ where, select: { versions: true } })
    return novaRange(versionsSchema.parse(round?.versions ?? {}).nova)
  })
