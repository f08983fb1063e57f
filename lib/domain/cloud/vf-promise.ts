import { type ListedFunction, listedIn, type PciCard } from '@/lib/domain/nova-config/listed-functions'
import { pciClassText } from '@/lib/domain/nova-config/pci-names'
import type { Pgpu, SupportedType } from '@/lib/domain/pgpu/types'
import { sumProviders } from './advertised'
import { isPciInPlacement } from './expected-providers'
import type { JoinedHost, JoinedPgpu } from './fleet-types'
import { traitsNaming } from './type-traits'

/** Functions of a pGPU that the host's `[pci] device_spec` offers for passthrough, each with its entry. */
export const listedFunctions = (
  { nova }: Pick<JoinedHost, 'nova'>,
  card: PciCard,
): readonly ListedFunction[] => listedIn(nova?.deviceSpecs.specs ?? [], card)

/** VFs of a pGPU that `[pci] device_spec` offers for passthrough. */
export const listedVfs = (joined: Pick<JoinedHost, 'nova'>, card: PciCard): ListedFunction[] =>
  listedFunctions(joined, card).filter(({ isVf }) => isVf)

/** VFs that `device_spec` offers for passthrough, by the vGPU type that is written into them. */
type VfsByType = {
  typed: readonly ListedFunction[]
  untyped: readonly ListedFunction[]
  /** Of these the type could not be read. */
  unread: readonly ListedFunction[]
}

/** The VFs that a host advertises of a card of vendor VFIO, and how many of them are usable. */
export type VfPromise = VfsByType & {
  /** The source of the number: Placement with `report_in_placement`, else the host's own `device_spec`. */
  by: 'placement' | 'device_spec'
  promised: number
}

/** Nova assigns VFs unchanged, so only those with a vGPU type serve a server. Null: the card is not of vendor VFIO. */
export const vfsByType = (joined: Pick<JoinedHost, 'nova'>, pgpu: Pgpu): VfsByType | null => {
  if (pgpu.framework !== 'vendor-vfio') return null
  const types = new Map(pgpu.virtualFunctions.map(({ address, currentType }) => [address, currentType]))
  const listed = listedVfs(joined, pgpu)
  const of = (isMeant: (type: number | null) => boolean): ListedFunction[] =>
    listed.filter(({ address }) => isMeant(types.get(address) ?? null))
  return {
    typed: of((type) => type !== null && type > 0),
    untyped: of((type) => type === 0),
    unread: of((type) => type === null),
  }
}

/** Null: the card's VFs are not offered for passthrough, or Placement should have them and has none. */
export const vfPromiseOf = (joined: JoinedHost, { pgpu, providers }: JoinedPgpu): VfPromise | null => {
  const vfs = vfsByType(joined, pgpu)
  if (vfs === null) return null
  const listed = vfs.typed.length + vfs.untyped.length + vfs.unread.length
  const isInPlacement = isPciInPlacement(joined) === true
  if (listed === 0 || (isInPlacement && providers.length === 0)) return null
  const total = isInPlacement ? sumProviders(providers).total.value : null
  return { by: total === null ? 'device_spec' : 'placement', promised: total ?? listed, ...vfs }
}

/** What its VFs are to carry: the type of the card's others, else the one after which their resource class is named. */
export const typeForVfs = ({ pgpu }: JoinedPgpu, { untyped }: VfPromise): SupportedType | null => {
  const types = pgpu.supportedTypes ?? []
  const current = types.find(({ typeId }) => typeId === pgpu.currentType?.typeId)
  const written = untyped[0]?.spec.resource_class
  if (current !== undefined || written === undefined) return current ?? null
  return types.find((type) => traitsNaming(type).has(pciClassText(written))) ?? null
}

/** How many of the VFs without a type could get theirs; all of them where the driver does not say. */
export const freeForVfs = (entry: JoinedPgpu, promise: VfPromise): number =>
  Math.min(promise.untyped.length, typeForVfs(entry, promise)?.creatable ?? promise.untyped.length)
