import { has, type NovaCall, novaUrl } from './nova-handler'
import type { Flavor } from './nova-state'

const links = (call: NovaCall, id: string): unknown => [
  { rel: 'self', href: novaUrl(call, `flavors/${id}`) },
  { rel: 'bookmark', href: `${call.request.origin}/compute/flavors/${id}` },
]

export const flavorSummary = (call: NovaCall, { id, name, description }: Flavor): unknown => ({
  id,
  name,
  ...(has(call, '2.55') ? { description } : {}),
  links: links(call, id),
})

export const flavorBody = (call: NovaCall, flavor: Flavor): unknown => ({
  id: flavor.id,
  name: flavor.name,
  ram: flavor.memoryMib,
  disk: flavor.diskGib,
  vcpus: flavor.vcpus,
  // An absent swap was an empty text before 2.75.
  swap: flavor.swapMib === 0 && !has(call, '2.75') ? '' : flavor.swapMib,
  'OS-FLV-EXT-DATA:ephemeral': flavor.ephemeralGib,
  'OS-FLV-DISABLED:disabled': flavor.isDisabled,
  'os-flavor-access:is_public': flavor.isPublic,
  ...(has(call, '2.102') ? {} : { rxtx_factor: 1 }),
  ...(has(call, '2.55') ? { description: flavor.description } : {}),
  ...(has(call, '2.61') ? { extra_specs: flavor.extraSpecs } : {}),
  links: links(call, flavor.id),
})
