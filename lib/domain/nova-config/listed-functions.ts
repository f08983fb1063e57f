import { type DeviceSpec, matchesDeviceSpec, type PciFunction } from './device-spec'

/** A card with its VFs, as reports and descriptions have it. */
export type PciCard = {
  address: string
  vendorId: string | null
  deviceId: string | null
  virtualFunctions: readonly { address: string }[]
}

/** The functions of a card as `device_spec` is held against them: the card itself first, then its VFs. */
export const functionsOfCard = ({
  address,
  vendorId,
  deviceId,
  virtualFunctions,
}: PciCard): [PciFunction, ...PciFunction[]] => [
  { address, parentAddress: null, vendorId, deviceId },
  ...virtualFunctions.map((vf) => ({ address: vf.address, parentAddress: address, vendorId, deviceId })),
]

/**
 * Whether an entry fits a function. A report does not carry the product id of a VF; NVIDIA's have that of their card (Nova's
 * pci-passthrough.rst lists A16 VFs as 10de:25b6), so an entry for other cards of the host takes none of them.
 */
const fits = (spec: DeviceSpec, one: PciFunction): boolean => {
  const isOfOther =
    one.parentAddress !== null &&
    one.vendorId === '10de' &&
    one.deviceId !== null &&
    spec.product_id !== undefined &&
    !matchesDeviceSpec({ ...spec, address: undefined }, { ...one, parentAddress: null })
  return !isOfOther && matchesDeviceSpec(spec, one)
}

/** A function of a card with the entry of `device_spec` that hands it out: the first that fits, as Nova takes it. */
export type ListedFunction = { address: string; isVf: boolean; spec: DeviceSpec }

/** Functions of a card that `device_spec` hands out; a virtual parent, which is no PCI device, has none. */
export const listedIn = (specs: readonly DeviceSpec[], card: PciCard): ListedFunction[] =>
  specs.length === 0 || card.vendorId === null
    ? []
    : functionsOfCard(card).flatMap((one) => {
        const spec = specs.find((entry) => fits(entry, one))
        return spec === undefined ? [] : [{ address: one.address, isVf: one.parentAddress !== null, spec }]
      })

/** Whether an entry of `device_spec` fits a card or a VF of it, even where an earlier one hands it out. */
export const namesCard = (spec: DeviceSpec, card: PciCard): boolean =>
  card.vendorId !== null && functionsOfCard(card).some((one) => fits(spec, one))

/**
 * The ids of a VF. A report does not have its product id; VFs of NVIDIA have that of their card (Nova's pci-passthrough.rst lists
 * A16 VFs as 10de:25b6).
 */
export const vfIds = ({
  vendorId,
  deviceId,
}: Pick<PciFunction, 'vendorId' | 'deviceId'>): { vendorId: string | null; productId: string | null } => ({
  vendorId,
  productId: vendorId === '10de' ? deviceId : null,
})

/** The VFs of a card as `device_spec` is held against them. */
export const vfsOfCard = (card: PciCard): PciFunction[] => functionsOfCard(card).slice(1)
