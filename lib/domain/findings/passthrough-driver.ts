import type { Detector } from './detector'

/** A card that a running guest holds whole is bound to vfio-pci; another driver means that the facts disagree. */
export const passthroughDriver: Detector = ({ cards, occupancy }) =>
  cards.flatMap(({ facts, pgpu }) => {
    const holder = occupancy.byPciAddress
      .get(pgpu.address)
      ?.find((guest) => guest.state === 'running' && guest.livePath !== null)
    if (holder === undefined || pgpu.driver === null || pgpu.driver === 'vfio-pci') return []
    return [
      {
        code: 'passthrough-driver',
        severity: 'warning',
        sentence: `${holder.name} holds it, but it is bound to ${pgpu.driver}`,
        detail: `A device of a running guest is bound to vfio-pci. Look at /sys/bus/pci/devices/${facts.gpu.address}/driver and at ${holder.livePath}; if a host driver took the card back, stop the guest before anything else uses it.`,
        pgpuAddress: pgpu.address,
      },
    ]
  })
