import { listText } from '@/lib/domain/wording'
import type { Card, Detector, HostFacts } from './detector'

const parentsOf = (host: HostFacts): Set<string> =>
  new Set(host.cards.flatMap(({ facts }) => [...(facts.assigned?.keys() ?? [])]))

const advice = (card: Card): string => {
  if (card.pgpu.framework === 'mdev-sriov')
    return 'On this card the virtual functions are the mdev parents: list their addresses instead of the physical function.'
  if (card.pgpu.framework === 'passthrough')
    return 'This card is handed out whole. Take the address out, or bind the card to its vGPU driver.'
  return 'It offers no mdev types now: check its driver and its virtual functions, or take the address out.'
}

/** Addresses in `device_addresses` of GPUs that are here but are no mdev parents, above all PFs of SR-IOV cards. */
export const addressNotAParent: Detector = (host) => {
  const types = (host.nova?.mdev.types ?? []).filter((type) => type.deviceAddresses.length > 0)
  if (types.length === 0) return []
  const parents = parentsOf(host)
  return host.cards.flatMap((card) => {
    const own = [card.facts.gpu.address, ...card.facts.gpu.virtualFunctions.map((vf) => vf.address)]
    return types.flatMap((type) => {
      const wrong = type.deviceAddresses.filter((address) => own.includes(address) && !parents.has(address))
      if (wrong.length === 0) return []
      return [
        {
          code: 'address-not-a-parent' as const,
          severity: 'warning' as const,
          sentence: `nova.conf gives ${listText(wrong)} ${type.typeId}, but no vGPU can be made there`,
          detail: `${type.addressesSource}: Nova ignores the address without an error. ${advice(card)}`,
          pgpuAddress: card.pgpu.address,
        },
      ]
    })
  })
}
