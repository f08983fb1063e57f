import type { Offer } from './build-inventory'

/** `id suffix framebufferMib max heads resolution frameRate`, one type a line, as NVIDIA's description prints them. */
const readRows = (prefix: string, rows: string): Omit<Offer, 'available'>[] =>
  rows
    .trim()
    .split('\n')
    .map((row) => {
      const [id, suffix, framebuffer, max, heads, resolution, frameRate] = row.trim().split(' ')
      return {
        typeId: `nvidia-${id}`,
        name: `${prefix}-${suffix}`,
        description: `num_heads=${heads}, frl_config=${frameRate}, framebuffer=${framebuffer}M, max_resolution=${resolution}, max_instance=${max}`,
      }
    })

/** The 17 types of the T4 in the first seed, with NVIDIA's names. */
const T4_TYPES = readRows(
  'GRID T4',
  `222 1B 1024 16 4 5120x2880 45
   223 2B 2048 8 4 5120x2880 45
   224 2B4 2048 8 4 5120x2880 45
   225 1A 1024 16 1 1280x1024 60
   226 2A 2048 8 1 1280x1024 60
   227 4A 4096 4 1 1280x1024 60
   228 8A 8192 2 1 1280x1024 60
   229 16A 16384 1 1 1280x1024 60
   230 1Q 1024 16 4 5120x2880 60
   231 2Q 2048 8 4 7680x4320 60
   232 4Q 4096 4 4 7680x4320 60
   233 8Q 8192 2 4 7680x4320 60
   234 16Q 16384 1 4 7680x4320 60
   252 1B4 1024 16 4 5120x2880 45
   319 4C 4096 4 1 4096x2160 60
   320 8C 8192 2 1 4096x2160 60
   321 16C 16384 1 1 4096x2160 60`,
)

const A40_TYPES = readRows(
  'NVIDIA A40',
  `557 1Q 1024 32 4 5120x2880 60
   558 2Q 2048 24 4 7680x4320 60
   560 4Q 4096 12 4 7680x4320 60
   562 8Q 8192 6 4 7680x4320 60
   567 48Q 49152 1 4 7680x4320 60
   581 4A 4096 12 1 1280x1024 60
   596 4C 4096 12 1 4096x2160 60`,
)

const A100_TYPES = readRows(
  'GRID A100',
  `468 4C 4096 10 1 4096x2160 60
   469 5C 5120 8 1 4096x2160 60
   470 8C 8192 5 1 4096x2160 60
   471 10C 10240 4 1 4096x2160 60
   472 20C 20480 2 1 4096x2160 60
   473 40C 40960 1 1 4096x2160 60
   474 1-5C 5120 7 1 4096x2160 60
   476 3-20C 20480 2 1 4096x2160 60`,
)

const TYPES = { T4: T4_TYPES, A40: A40_TYPES, A100: A100_TYPES }

/**
 * The types that a model offers, with `available` of each; without it, of an empty card on which the parent takes all
 * that fits.
 */
export const offersOf = (
  model: keyof typeof TYPES,
  available?: (type: { typeId: string; name: string; maxInstance: number }) => number | null,
): Offer[] =>
  TYPES[model].map((type) => {
    const maxInstance = Number(/max_instance=(\d+)/.exec(type.description ?? '')?.[1])
    const requested = available?.({ typeId: type.typeId, name: type.name ?? '', maxInstance })
    return { ...type, available: requested === undefined ? maxInstance : requested }
  })

/** VF number n of a PF `dddd:bb:00.0` whose first VF is function 4, as on Ampere: 41:00.4 … 41:00.7, 41:01.0 … */
export const vfOf = (pf: string, n: number): string => {
  const index = n + 4
  const slot = Math.floor(index / 8)
    .toString(16)
    .padStart(2, '0')
  return `${pf.slice(0, 8)}${slot}.${index % 8}`
}
