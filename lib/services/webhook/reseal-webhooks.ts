import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { sealPurpose } from './webhook-rows'

/** `v1.<key id>.…` */
const keyId = (sealed: string): string | undefined => sealed.split('.')[1]

/** Seals with the newest secret what an older one sealed, so that the older one can be taken away. */
export const resealWebhooks = async ({ database, webhooks: { box } }: ServiceContext): Promise<void> => {
  const { webhook } = database.prisma
  const current = keyId(box.seal('', 'which key'))
  const sealed = await webhook.findMany({
    select: { id: true, sealedAddress: true, sealedSecret: true },
    orderBy: { id: 'asc' },
  })
  for (const { id, sealedAddress, sealedSecret } of sealed) {
    if (keyId(sealedAddress) === current && keyId(sealedSecret) === current) continue
    const address = box.open(sealedAddress, sealPurpose(id, 'address'))
    const secret = box.open(sealedSecret, sealPurpose(id, 'secret'))
    if (address === null || secret === null) continue
    // A person may have written another one in the meantime: that one is newer.
    await webhook.updateMany({
      where: { id, sealedAddress, sealedSecret },
      data: {
        sealedAddress: box.seal(address, sealPurpose(id, 'address')),
        sealedSecret: box.seal(secret, sealPurpose(id, 'secret')),
      },
    })
  }
}
