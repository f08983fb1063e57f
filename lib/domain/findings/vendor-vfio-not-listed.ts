import { listedIn } from '@/lib/domain/nova-config/listed-functions'
import { listText, plural } from '@/lib/domain/wording'
import type { Detector } from './detector'

/** Vendor-VFIO vGPUs without a guest on VFs that no `device_spec` names: Nova never hands them out. */
export const vendorVfioNotListed: Detector = (host) => {
  const { nova } = host
  if (nova === null) return []
  return host.cards.flatMap(({ facts, pgpu }) => {
    const listed = new Set(listedIn(nova.deviceSpecs.specs, pgpu).map(({ address }) => address))
    const unlisted = facts.vgpus.filter((vgpu) => vgpu.state === 'spare' && !listed.has(vgpu.address))
    if (pgpu.framework !== 'vendor-vfio' || unlisted.length === 0) return []
    const addresses = unlisted.map((vgpu) => vgpu.address)
    return [
      {
        code: 'vendor-vfio-not-listed',
        severity: 'warning',
        sentence: `no [pci] device_spec names ${plural(unlisted.length, 'VF', 'VFs')} with a vGPU type`,
        detail: `Nova hands out only VFs that [pci] device_spec names, with "managed": "no". Add ${listText(addresses)}, or write 0 to their current_vgpu_type.`,
        pgpuAddress: pgpu.address,
      },
    ]
  })
}
