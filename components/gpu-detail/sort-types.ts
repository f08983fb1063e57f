import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { naturalOrder } from '@/lib/util/natural-order'

export type SupportedType = NonNullable<GpuDetail['supportedTypes']>[number]
export const TYPE_SORTS = ['driver', 'name', 'framebuffer', 'fit'] as const
export type TypeSort = (typeof TYPE_SORTS)[number]

const orders: Record<TypeSort, ((a: SupportedType, b: SupportedType) => number) | null> = {
  driver: null,
  name: (a, b) => naturalOrder(a.shortName, b.shortName),
  framebuffer: (a, b) => (b.framebufferMib ?? -1) - (a.framebufferMib ?? -1),
  fit: (a, b) => (b.maxInstance ?? -1) - (a.maxInstance ?? -1),
}

/** The catalog in the requested order; equal types stay in the driver's order, which is that of `driver`. */
export const sortTypes = (types: readonly SupportedType[], sort: TypeSort): readonly SupportedType[] => {
  const order = orders[sort]
  return order === null ? types : types.toSorted(order)
}
