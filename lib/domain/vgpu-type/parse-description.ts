/** The values of a driver's type description. Null: missing. */
export type TypeDescription = {
  framebufferMib: number | null
  heads: number | null
  maxResolution: string | null
  frameRateLimit: number | null
  /** Per physical GPU (NVIDIA). */
  maxInstance: number | null
}

/** Cut at fixed places: one expression for both sides would try every way to share the spaces between them. */
const readPairs = (description: string): Map<string, string> => {
  const pairs = new Map<string, string>()
  for (const part of description.split(/[\n,;]/)) {
    const middle = part.search(/[:=]/)
    const name = part.slice(0, Math.max(0, middle)).trim().toLowerCase()
    if (/^[a-z_][\w ]*$/.test(name) && !pairs.has(name)) pairs.set(name, part.slice(middle + 1).trim())
  }
  return pairs
}

const readCount = (text: string | undefined): number | null => {
  const match = /^(\d{1,9})(?!\d)/.exec(text ?? '')
  return match === null ? null : Number(match[1])
}

/** `4096M`, `4096MB`, `16G` and a bare number (MiB); null for anything else. */
const readMebibytes = (text: string | undefined): number | null => {
  const match = /^(\d{1,9})\s*([KMGT]?)(?:i?B)?$/i.exec(text ?? '')
  if (match === null) return null
  const value = Number(match[1])
  const unit = (match[2] ?? '').toUpperCase()
  if (unit === 'K') return Math.floor(value / 1024)
  if (unit === 'G') return value * 1024
  if (unit === 'T') return value * 1024 * 1024
  return value
}

const readResolution = (text: string | undefined): string | null =>
  /^\d{1,6}x\d{1,6}$/.test(text ?? '') ? (text ?? null) : null

const readDescription = (description: string): TypeDescription => {
  const pairs = readPairs(description)
  const lowMib = readMebibytes(pairs.get('low_gm_size'))
  const highMib = readMebibytes(pairs.get('high_gm_size'))
  return {
    framebufferMib:
      readMebibytes(pairs.get('framebuffer')) ??
      (lowMib === null || highMib === null ? null : lowMib + highMib),
    heads: readCount(pairs.get('num_heads')),
    maxResolution: readResolution(pairs.get('max_resolution') ?? pairs.get('resolution')),
    frameRateLimit: readCount(pairs.get('frl_config')),
    maxInstance: readCount(pairs.get('max_instance')),
  }
}

/** A fleet has few wordings and every report repeats them; the bound keeps an odd fleet from filling memory. */
const MAX_REMEMBERED = 4096
const remembered = new Map<string, TypeDescription>()

/**
 * Parses the `description` of an mdev type. NVIDIA prints `num_heads=4, frl_config=60, framebuffer=4096M,
 * max_resolution=7680x4320, max_instance=4`; Intel GVT-g prints `low_gm_size: 128MB`, `high_gm_size: 512MB`, `fence: 4`,
 * `resolution: 1920x1200`, `weight: 4` in lines, and the two sizes together are the graphics memory. A missing or invalid
 * value is null. Source: NVIDIA A2 dump; drivers/gpu/drm/i915/gvt/kvmgt.c description_show.
 */
export const parseTypeDescription = (description: string | null): Readonly<TypeDescription> => {
  const held = remembered.get(description ?? '')
  if (held !== undefined) return held
  const read = readDescription(description ?? '')
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(description ?? '', read)
  return read
}
