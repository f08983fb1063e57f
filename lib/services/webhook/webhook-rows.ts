import { uncheckedRow } from '@/lib/server/database/row'
import 'server-only'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import type { Query } from '@/lib/server/database/database'
import { ServiceError } from '@/lib/server/errors/service-error'

export type WebhookRow = {
  id: number
  cloudId: number
  cloud: string
  name: string
  origin: string
  sealedAddress: string
  sealedSecret: string
  form: 'json' | 'slack'
  findingSeverity: 'error' | 'warning' | 'info' | null
  wantsExhaustion: boolean
  wantsChanges: boolean
  isEnabled: boolean
  madeBy: string
  madeAt: Date
}

/** Of `webhook w JOIN cloud c`. */
export const WEBHOOK_COLUMNS = `
w.id, w.cloud_id AS "cloudId", c.name AS cloud, w.name, w.origin, w.sealed_address AS "sealedAddress",
w.sealed_secret AS "sealedSecret", w.form, w.finding_severity AS "findingSeverity",
w.wants_exhaustion AS "wantsExhaustion", w.wants_changes AS "wantsChanges", w.is_enabled AS "isEnabled",
w.made_by AS "madeBy", w.made_at AS "madeAt"`

const FIND = `SELECT ${WEBHOOK_COLUMNS} FROM webhook w JOIN cloud c ON c.id = w.cloud_id WHERE w.id = $1`

/** The webhook, if it is of a cloud that the caller sees. `locked`: until the transaction ends nobody else changes it. */
export const findWebhook = async (
  ctx: Pick<ServiceContext, 'actor'>,
  query: Query,
  { id, locked = false }: { id: number; locked?: boolean },
): Promise<WebhookRow> => {
  const [found] = await query(
    locked ? `${FIND} FOR NO KEY UPDATE OF w` : FIND,
    [id],
    uncheckedRow<WebhookRow>(),
  )
  if (found !== undefined && seesCloud(ctx.actor, found.cloud)) return found
  throw new ServiceError('not_found', `There is no webhook ${id}. Reload the list.`, { field: 'id' })
}

type Sealed = 'address' | 'secret'

/** What is sealed for one webhook opens for no other, and an address not as a secret. */
export const sealPurpose = (id: number, what: Sealed): string => `webhook-${what}:${id}`

/** What of a webhook is shown, in the list and in the audit: neither its address nor its secret. */
export const shownWebhook = ({
  name,
  origin,
  form,
  findingSeverity,
  wantsExhaustion,
  wantsChanges,
  isEnabled,
}: Pick<
  WebhookRow,
  'name' | 'origin' | 'form' | 'findingSeverity' | 'wantsExhaustion' | 'wantsChanges' | 'isEnabled'
>) => ({ name, origin, form, findingSeverity, wantsExhaustion, wantsChanges, isEnabled })
