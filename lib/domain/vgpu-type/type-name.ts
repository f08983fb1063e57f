/** An NVIDIA vGPU type name taken apart: `A40-4Q`, `A100-1-5CME`. */
export type TypeName = {
  gpu: string
  /** GPU instance slices of a MIG-backed type; null for a time-sliced one. */
  migSlices: number | null
  /** The number in the name; not exact on Hopper and later. 0 means half a gigabyte. */
  nominalGib: number
  series: 'A' | 'B' | 'C' | 'Q'
  /** `ME` (media engines), `NOME`, `MEALL`, `GFX`; the `4` of the old `1B4`. */
  attribute: string | null
}

/** How NVIDIA's MIG profiles write the suffix of the type's name. */
const PROFILE_ENDS: Record<string, string> = { ME: '+me', NOME: '-me', MEALL: '+me.all', GFX: '+gfx' }

/**
 * Profile of the GPU instance that a MIG-backed type fills alone, as `nvidia-smi mig -lgi` names it: `A100-1-5CME` →
 * `1g.5gb+me`. Null for time-sliced types. Types that share an instance (RTX PRO 6000 Blackwell) name a smaller one than they
 * live in.
 */
export const migProfileOf = ({ migSlices, nominalGib, attribute }: TypeName): string | null =>
  migSlices === null
    ? null
    : `${migSlices}g.${nominalGib}gb${attribute === null ? '' : (PROFILE_ENDS[attribute] ?? '')}`

const TIME_SLICED = /^([A-Z0-9]+(?:-[A-Za-z]+)*)-(0|[1-9][0-9]*)([ABCQ])(4)?$/
const MIG_BACKED = /^([A-Z0-9]+(?:-[A-Za-z]+)*)-([1-9])-(0|[1-9][0-9]*)([ABCQ])(ME|NOME|MEALL|GFX)?$/

/** Token after the last space of the driver's name: `GRID T4-16C` → `T4-16C`, `NVIDIA RTX PRO 6000 … DC-4Q` → `DC-4Q`. */
export const shortTypeName = (name: string): string => {
  const trimmed = name.trim()
  return trimmed.slice(trimmed.lastIndexOf(' ') + 1)
}

/**
 * Takes NVIDIA's short type name apart; null when it is no such name (Intel, mtty).
 * Source: NVIDIA/vgpu-device-manager pkg/types/vgpu_type.go, and the older `1B4`.
 */
export const parseTypeName = (shortName: string): TypeName | null => {
  const sliced = TIME_SLICED.exec(shortName)
  if (sliced !== null)
    return {
      gpu: sliced[1] ?? '',
      migSlices: null,
      nominalGib: Number(sliced[2]),
      series: sliced[3] as TypeName['series'],
      attribute: sliced[4] ?? null,
    }
  const mig = MIG_BACKED.exec(shortName)
  if (mig === null) return null
  return {
    gpu: mig[1] ?? '',
    migSlices: Number(mig[2]),
    nominalGib: Number(mig[3]),
    series: mig[4] as TypeName['series'],
    attribute: mig[5] ?? null,
  }
}
