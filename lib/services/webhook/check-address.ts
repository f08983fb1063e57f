import 'server-only'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { ServiceError } from '@/lib/server/errors/service-error'
import { whyNotAddress } from '@/lib/server/webhook/allowed-address'

/** The origin of an address that may be one of a webhook; refused with its rule otherwise, without repeating it. */
export const originOf = ({ webhooks }: Pick<ServiceContext, 'webhooks'>, address: string): string => {
  const because = whyNotAddress(address, webhooks.named)
  if (because !== null) throw new ServiceError('validation', `The address ${because}.`, { field: 'address' })
  return new URL(address).origin
}
