/**
 * A PCI address as people and nvidia-smi write it (`00000000:18:00.0`, `18:00.0`, upper case) in the stored form
 * `0000:18:00.0`; anything else only in lower case, for virtual parents such as `mtty`.
 */
export const canonicalAddress = (text: string): string => {
  const lower = text.trim().toLowerCase()
  const match = /^(?:(?:0000)?([0-9a-f]{4}):)?([0-9a-f]{2}:[0-9a-f]{2}\.[0-7])$/.exec(lower)
  return match === null ? lower : `${match[1] ?? '0000'}:${match[2]}`
}
