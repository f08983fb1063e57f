import { aliasTakes, offerOfSpec, type PciOffer } from '@/lib/domain/nova-config/alias-takes'
import { listedIn, vfIds } from '@/lib/domain/nova-config/listed-functions'
import type { NovaView } from '@/lib/domain/nova-config/nova-view'
import type { GpuDevice } from '@/lib/schemas/agent/inventory'
import { hostScheduling, wholeOffer } from './handed-out-by'

/**
 * The functions of a card that Nova assigns by `[pci] device_spec`, with any driver: libvirt rebinds a device
 * when a server starts with it. Where an entry matches both the card and its VFs, `device_type` of the aliases decides;
 * without an alias the VFs count, since Nova assigns a PF only on request (nova/pci/stats.py
 * _filter_pools_for_unrequested_pfs).
 */
export const assignedFunctions = (gpu: GpuDevice, nova: NovaView | null): string[] => {
  if (nova === null) return []
  const listed = listedIn(nova.deviceSpecs.specs, gpu)
  const whole = listed.find(({ isVf }) => !isVf)
  const vfs = listed.filter(({ isVf }) => isVf)
  if (whole === undefined || vfs.length === 0) return listed.map(({ address }) => address)
  const rules = hostScheduling(nova)
  const { range, ...scheduling } = rules
  const isWanted = (offer: PciOffer): boolean =>
    nova.aliases.some((alias) => aliasTakes(alias, offer) !== false)
  const isVfWanted = vfs.some(({ spec }) =>
    isWanted({ ...offerOfSpec(spec, vfIds(gpu), range), deviceType: 'type-VF', ...scheduling }),
  )
  return !isVfWanted && isWanted(wholeOffer(gpu, whole.spec, rules))
    ? [whole.address]
    : vfs.map(({ address }) => address)
}
