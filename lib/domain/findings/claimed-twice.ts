import { matchesDeviceSpec } from '@/lib/domain/nova-config/device-spec'
import { type Detector, isMdevCard } from './detector'

/** nova.conf slices a card by mdev and hands the same card out whole. */
export const claimedTwice: Detector = ({ cards, nova }) =>
  cards.filter(isMdevCard).flatMap(({ facts, pgpu }) => {
    const spec = nova?.deviceSpecs.specs.find((entry) =>
      matchesDeviceSpec(entry, {
        address: pgpu.address,
        parentAddress: null,
        vendorId: pgpu.vendorId,
        deviceId: pgpu.deviceId,
      }),
    )
    if (spec === undefined || pgpu.configuredType === null || facts.gpu.vendorId === null) return []
    return [
      {
        code: 'claimed-twice',
        severity: 'warning',
        sentence: `nova.conf slices it into ${pgpu.configuredType.typeId} and hands it out whole`,
        detail: `${pgpu.configuredType.source} and ${spec.source} both name this card: a guest that gets it whole takes every vGPU away. Leave it out of one of them, by address.`,
        pgpuAddress: pgpu.address,
      },
    ]
  })
