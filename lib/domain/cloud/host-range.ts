import { type NovaRange, novaRange } from '@/lib/domain/nova-config/nova-releases'
import { rangeOf } from '@/lib/domain/nova-config/nova-view'
import type { Fleet, JoinedHost } from './fleet-types'

/** Which releases the nova-compute of a host may be, by its agent, else by nova-api; null: unknown. */
export const hostRange = (
  { input }: Pick<Fleet, 'input'>,
  { host }: Pick<JoinedHost, 'host'>,
): NovaRange | null => rangeOf(host.inventory, novaRange(input.facts.versions.nova))
