import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { sealPurpose } from './webhook-rows'

type Row = { id: number; sealedAddress: string; sealedSecret: string }

const LIST =
  'SELECT id, sealed_address AS "sealedAddress", sealed_secret AS "sealedSecret" FROM webhook ORDER BY id'

// Somebody may have written another one meanwhile: that one is newer.
const RESEAL = `
UPDATE webhook SET sealed_address = $2, sealed_secret = $3
WHERE id = $1 AND sealed_address = $4 AND sealed_secret = $5`

/** `v1.<key id>.…` */
const keyId = (sealed: string): string | undefined => sealed.split('.')[1]

/** Seals with the newest secret what an older one sealed, so that the older one can be taken away. */
export const resealWebhooks = async ({ database, webhooks: { box } }: ServiceContext): Promise<void> => {
  const current = keyId(box.seal('', 'which key'))
  for (const { id, sealedAddress, sealedSecret } of await database.query(LIST, [], uncheckedRow<Row>())) {
    if (keyId(sealedAddress) === current && keyId(sealedSecret) === current) continue
    const address = box.open(sealedAddress, sealPurpose(id, 'address'))
    const secret = box.open(sealedSecret, sealPurpose(id, 'secret'))
    if (address === null || secret === null) continue
    const sealed = [
      box.seal(address, sealPurpose(id, 'address')),
      box.seal(secret, sealPurpose(id, 'secret')),
    ]
    await database.query(RESEAL, [id, ...sealed, sealedAddress, sealedSecret])
  }
}
