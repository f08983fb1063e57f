import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { aliasClass, aliasTraits } from '@/lib/domain/nova-config/alias-takes'
import { meaningOfAlias } from './alias-meaning'
import type { FlavorRequest, ResourceGroup } from './flavor-request'

/**
 * A request with the groups that Nova adds for the aliases of its flavor when `pci_in_placement` is on: one group of one device
 * for each, with the class and the traits of the alias. Nova writes a uuid into the suffix; here it is the alias's position.
 * Unchanged where Nova schedules by ids, or where that is not known. Source: nova/objects/request_spec.py
 * generate_request_groups_from_pci_requests, nova/scheduler/utils.py (group_policy).
 */
export const withPciGroups = (fleet: Fleet, request: FlavorRequest): FlavorRequest => {
  if (fleet.hosts[0]?.pciScheduling !== 'placement') return request
  const added: ResourceGroup[] = []
  for (const [index, { name, count }] of request.aliases.entries()) {
    const meaning = meaningOfAlias(fleet, name)
    const entries = meaning.state === 'known' ? meaning.entries : []
    const [entry] = entries
    const resourceClass = entry === undefined ? null : aliasClass(entry)
    // With pci_in_placement Nova refuses an alias of several entries.
    if (entry === undefined || entries.length > 1 || resourceClass === null) return request
    for (let device = 0; device < count; device += 1)
      added.push({
        suffix: `_pci${index}-${device}`,
        resources: { [resourceClass]: 1 },
        required: aliasTraits(entry),
        forbidden: [],
      })
  }
  if (added.length === 0) return request
  const ofFlavor = request.groups.filter(
    ({ suffix, resources }) => suffix !== '' && Object.keys(resources).length > 0,
  )
  const needsPolicy =
    request.groupPolicy === null && ofFlavor.length <= 1 && ofFlavor.length + added.length > 1
  return {
    ...request,
    groups: [...request.groups, ...added],
    groupPolicy: needsPolicy ? 'none' : request.groupPolicy,
  }
}
