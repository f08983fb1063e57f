import { oncePer } from '@/lib/util/once-per'
import { type DeviceSpec, matchesDeviceSpec, type PciFunction, specFinder } from './device-spec'

/** A card with its VFs, as reports and descriptions have it. */
export type PciCard = {
  address: string
  vendorId: string | null
  deviceId: string | null
  /** Product id of its VFs; null or absent: not in the report. */
  vfDeviceId?: string | null | undefined
  virtualFunctions: readonly { address: string }[]
}

/**
 * The ids of the VFs of a card. Agents of earlier releases do not report the product id; VFs of NVIDIA have that of their card
 * (Nova's pci-passthrough.rst lists A16 VFs as 10de:25b6).
 */
export const vfIds = ({
  vendorId,
  deviceId,
  vfDeviceId = null,
}: Pick<PciCard, 'vendorId' | 'deviceId' | 'vfDeviceId'>): {
  vendorId: string | null
  productId: string | null
} => ({ vendorId, productId: vfDeviceId ?? (vendorId === '10de' ? deviceId : null) })

/** The functions of a card as `device_spec` is compared with them: the card itself first, then its VFs. */
export const functionsOfCard = (card: PciCard): [PciFunction, ...PciFunction[]] => {
  const { address, vendorId, deviceId } = card
  const { productId } = vfIds(card)
  return [
    { address, parentAddress: null, vendorId, deviceId },
    ...card.virtualFunctions.map((vf) => ({
      address: vf.address,
      parentAddress: address,
      vendorId,
      deviceId: productId,
    })),
  ]
}

/** A function of a card with the entry of `device_spec` that hands it out: the first that fits, as Nova takes it. */
export type ListedFunction = { address: string; isVf: boolean; spec: DeviceSpec }

const finderOf = oncePer((specs: readonly DeviceSpec[]) => specFinder(specs, (spec) => spec))

/** Many rules ask for the functions of the same card. */
const listedBy = oncePer((specs: readonly DeviceSpec[]) =>
  oncePer((card: PciCard): readonly ListedFunction[] =>
    functionsOfCard(card).flatMap((one) => {
      const spec = finderOf(specs)(one)
      return spec === null ? [] : [{ address: one.address, isVf: one.parentAddress !== null, spec }]
    }),
  ),
)

/** Functions of a card that `device_spec` offers for passthrough; a virtual parent, which is no PCI device, has none. */
export const listedIn = (specs: readonly DeviceSpec[], card: PciCard): readonly ListedFunction[] =>
  specs.length === 0 || card.vendorId === null ? [] : listedBy(specs)(card)

/** Whether an entry of `device_spec` fits a card or a VF of it, even where an earlier one hands it out. */
export const namesCard = (spec: DeviceSpec, card: PciCard): boolean =>
  card.vendorId !== null && functionsOfCard(card).some((one) => matchesDeviceSpec(spec, one))

/** The VFs of a card in the form in which `device_spec` is matched. */
export const vfsOfCard = (card: PciCard): PciFunction[] => functionsOfCard(card).slice(1)
