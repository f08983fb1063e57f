import type { DeviceSpec } from '@/lib/domain/nova-config/device-spec'
import { listedIn } from '@/lib/domain/nova-config/listed-functions'
import { strictBool } from '@/lib/domain/nova-config/python-values'
import { specOfCard } from '@/lib/domain/pgpu/handed-out-by'
import type { Card } from '@/lib/domain/pgpu/pgpu-facts'
import { isReservedDriver, isVfioDriver } from '@/lib/domain/pgpu/vfio-driver'
import { listText } from '@/lib/domain/wording'
import { shellWord } from '@/lib/util/encode/shell'
import { formatNoun } from '@/lib/util/format'
import {
  type CardDetector,
  type HostDetector,
  type HostParts,
  type LocatedFinding,
  NOTHING,
  onEachCard,
} from './detector'

const found = (
  { pgpu }: Card,
  { sentence, detail, isBroken }: { sentence: string; detail: string; isBroken?: boolean },
): LocatedFinding => ({
  code: 'passthrough-driver',
  severity: isBroken === true ? 'error' : 'warning',
  sentence,
  detail,
  pgpuAddress: pgpu.address,
})

const driverPath = ({ facts }: Card): string => `/sys/bus/pci/devices/${facts.gpu.address}/driver`

const isBoundByLibvirt = ({ managed }: DeviceSpec): boolean =>
  managed === undefined || strictBool(managed) !== false

/** The facts disagree: what a running guest holds is bound to vfio-pci. */
const ofHeld = (card: Card, { occupancy }: HostParts): readonly LocatedFinding[] => {
  const { pgpu } = card
  const holder = occupancy.byPciAddress
    .get(pgpu.address)
    ?.find((guest) => guest.state === 'running' && guest.livePath !== null)
  if (holder === undefined || pgpu.driver === null || isVfioDriver(pgpu.driver)) return NOTHING
  return [
    found(card, {
      sentence: `${holder.name} uses the card, but it is bound to ${pgpu.driver}`,
      detail: `A device of a running guest must be bound to vfio-pci. Compare ${driverPath(card)} and ${holder.livePath}. If a host driver took over the card, stop the guest before anything else uses the card.`,
    }),
  ]
}

/** A free card: libvirt binds it at the start of a server, unless its entry sets that the operator binds it. */
const ofFree = (card: Card, { nova, occupancy }: HostParts): readonly LocatedFinding[] => {
  const { facts, pgpu } = card
  if (pgpu.framework !== 'passthrough') return NOTHING
  const { gap, byPciAddress, byOthers } = occupancy
  // Bound to vfio-pci, the card would lose its VFs: not while a guest has one.
  const functions = [pgpu.address, ...pgpu.virtualFunctions.map(({ address }) => address)]
  const isFree = gap === null && !functions.some((one) => byPciAddress.has(one) || byOthers.has(one))
  const spec =
    nova === null || facts.units[0] !== pgpu.address ? null : specOfCard(facts.gpu, nova.deviceSpecs.specs)
  if (!isFree || spec === null) return NOTHING
  const isManaged = isBoundByLibvirt(spec)
  if (pgpu.driver !== null && (isVfioDriver(pgpu.driver) || (isManaged && isReservedDriver(pgpu.driver))))
    return NOTHING
  const driver = pgpu.driver ?? 'no driver'
  if (!isManaged)
    return [
      found(card, {
        sentence: `the card is bound to ${driver}, and nova.conf has "managed": "no"`,
        detail: `${spec.source} has "managed": "no", so the card must be bound to vfio-pci before a server starts with it. ${driverPath(card)} is ${driver}. Bind the card at boot (driverctl set-override ${shellWord(pgpu.address)} vfio-pci), or remove "managed".`,
        isBroken: true,
      }),
    ]
  if (pgpu.driver === null) return NOTHING
  return [
    found(card, {
      sentence: `the card is for passthrough, but it is bound to ${driver}`,
      detail: `When a server starts with the card, libvirt detaches it from ${driver}. This hangs or fails while a process on the host uses the card, for example a daemon of the driver. ${spec.source} assigns the card. Bind it to vfio-pci at boot (driverctl set-override ${shellWord(pgpu.address)} vfio-pci).`,
    }),
  ]
}

/** Free VFs whose entry sets that the operator binds them: a server with one of them does not start. */
const ofFreeVfs = (card: Card, { nova, occupancy }: HostParts): readonly LocatedFinding[] => {
  const { facts, pgpu } = card
  const { gap, byPciAddress, byOthers } = occupancy
  if (nova === null || pgpu.framework !== 'passthrough' || gap !== null) return NOTHING
  const drivers = new Map(facts.gpu.virtualFunctions.map(({ address, driver }) => [address, driver]))
  const unbound = listedIn(nova.deviceSpecs.specs, facts.gpu).filter(({ address, isVf, spec }) => {
    const driver = drivers.get(address) ?? null
    const isFree = !byPciAddress.has(address) && !byOthers.has(address)
    return (
      isVf &&
      isFree &&
      facts.units.includes(address) &&
      !isBoundByLibvirt(spec) &&
      (driver === null || !isVfioDriver(driver))
    )
  })
  const [first] = unbound
  if (first === undefined) return NOTHING
  const addresses = unbound.map(({ address }) => address)
  const driver = drivers.get(first.address) ?? 'no driver'
  return [
    found(card, {
      sentence: `${formatNoun(unbound.length, 'VF is', 'VFs are')} bound to ${driver}, and nova.conf has "managed": "no"`,
      detail: `${first.spec.source} has "managed": "no", so a server with one of these VFs does not start: ${listText(addresses)}. Bind them to vfio-pci at boot (driverctl set-override ${shellWord(first.address)} vfio-pci), or remove "managed".`,
      isBroken: true,
    }),
  ]
}

/** A card that goes to guests whole, or its VFs, not bound to vfio-pci. */
const detect: CardDetector = (card, host) => {
  const held = ofHeld(card, host)
  if (held.length > 0) return held
  const free = ofFree(card, host)
  return free.length > 0 ? free : ofFreeVfs(card, host)
}

export const passthroughDriver: HostDetector = {
  findings: {
    'passthrough-driver': {
      title: 'A pGPU or VF for passthrough is not bound to vfio-pci',
      severities: ['error', 'warning'],
      detection:
        'sysfs, nova.conf and libvirt: a pGPU for passthrough, or a VF with "managed": "no", is bound to a driver other than vfio-pci.',
      consequence: 'A running server may have lost the card, and a new server may fail to start with it.',
      nextStep: 'Bind the card to vfio-pci at boot. If a guest uses the card, stop the guest first.',
      source: 'hardware',
    },
  },
  detect: onEachCard(detect),
}
