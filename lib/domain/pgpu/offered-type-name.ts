import type { Pgpu } from './types'

/** Short name of a type as the driver of the pGPU reports it; null if the driver does not offer the type. */
export const offeredTypeName = (
  { supportedTypes }: Pick<Pgpu, 'supportedTypes'>,
  typeId: string | null | undefined,
): string | null => supportedTypes?.find((type) => type.typeId === typeId)?.shortName ?? null
