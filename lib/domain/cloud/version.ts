/** The numbers at the start of a version: `8.2.2 (Debian …)` → [8, 2, 2], `5.15.0-105-generic` → [5, 15, 0]; null without. */
const readVersion = (text: string | null): number[] | null => {
  const match = /(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?/.exec(text ?? '')
  return match === null ? null : [match[1], match[2], match[3]].map((part) => Number(part ?? 0))
}

/** Whether a version is at least another; null when either can't be read. */
export const isSameOrNewer = (text: string | null, min: string): boolean | null => {
  const [version, bound] = [readVersion(text), readVersion(min)]
  if (version === null || bound === null) return null
  for (const [index, part] of bound.entries()) {
    const own = version[index] ?? 0
    if (own !== part) return own > part
  }
  return true
}
