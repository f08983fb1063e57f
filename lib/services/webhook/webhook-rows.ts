import 'server-only'
import type * as z from 'zod'
import { webhookFormSchema, webhookSeveritySchema } from '@/lib/schemas/api/webhook'
import { type ServiceContext, seesCloud } from '@/lib/server/context/service-context'
import type { Connection } from '@/lib/server/database/database'
import { lockRow } from '@/lib/server/database/lock-row'
import { ServiceError } from '@/lib/server/errors/service-error'
import type { Prisma, Webhook } from '@/lib/server/prisma-client/client'

/** A webhook with the name of its cloud. */
export type WebhookRow = Omit<Webhook, 'form' | 'findingSeverity'> & {
  cloud: string
  form: z.infer<typeof webhookFormSchema>
  findingSeverity: z.infer<typeof webhookSeveritySchema> | null
}

export const WITH_CLOUD = { cloud: { select: { name: true } } } satisfies Prisma.WebhookInclude
type WithCloud = Prisma.WebhookGetPayload<{ include: typeof WITH_CLOUD }>

export const webhookRow = ({ cloud, form, findingSeverity, ...row }: WithCloud): WebhookRow => ({
  ...row,
  cloud: cloud.name,
  form: webhookFormSchema.parse(form),
  findingSeverity: findingSeverity === null ? null : webhookSeveritySchema.parse(findingSeverity),
})

/**
 * The webhook, if it belongs to a cloud that the caller sees. `locked`: no other transaction can change it until this one
 * ends.
 */
export const findWebhook = async (
  ctx: Pick<ServiceContext, 'actor'>,
  { prisma, query }: Connection,
  { id, locked = false }: { id: number; locked?: boolean },
): Promise<WebhookRow> => {
  if (locked) await lockRow(query, 'webhook', id)
  const found = await prisma.webhook.findUnique({ where: { id }, include: WITH_CLOUD })
  if (found !== null && seesCloud(ctx.actor, found.cloud.name)) return webhookRow(found)
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
  wantsFreeFlavors,
  isEnabled,
}: Pick<
  WebhookRow,
  | 'name'
  | 'origin'
  | 'form'
  | 'findingSeverity'
  | 'wantsExhaustion'
  | 'wantsChanges'
  | 'wantsFreeFlavors'
  | 'isEnabled'
>) => ({ name, origin, form, findingSeverity, wantsExhaustion, wantsChanges, wantsFreeFlavors, isEnabled })
