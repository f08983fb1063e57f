import { isWellFormed } from '@/lib/schemas/agent/grammar'

const COUNT_LIMIT = 1_000_000

/** Lower case only; fold before asking. */
export const isUuid = (text: string): boolean => isWellFormed('uuid', text)

export const isPciAddress = (text: string): boolean => isWellFormed('pciAddress', text)

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** libvirt writes `0x0000`, accepts decimal too. */
const libvirtNumber = (text: string): number =>
  /^(0x[0-9a-f]+|[0-9]+)$/i.test(text) ? Number(text) : Number.NaN

/** The address of a libvirt `<address domain= bus= slot= function=/>`; null when it is none with a 4-digit domain. */
export const pciAddressFrom = (parts: {
  domain: string
  bus: string
  slot: string
  function: string
}): string | null => {
  const [domain, bus, slot, fn] = [parts.domain, parts.bus, parts.slot, parts.function].map(libvirtNumber)
  if (domain === undefined || bus === undefined || slot === undefined || fn === undefined) return null
  const address = `${hex(domain, 4)}:${hex(bus, 2)}:${hex(slot, 2)}.${hex(fn, 1)}`
  return isPciAddress(address) ? address : null
}

/** nvidia-smi's `00000000:F4:00.0` as sysfs has it, `0000:f4:00.0`; null for a domain beyond 4 digits. */
export const canonicalAddress = (text: string): string | null => {
  const address = text
    .trim()
    .toLowerCase()
    .replace(/^0000(?=[0-9a-f]{4}:)/, '')
  return isPciAddress(address) ? address : null
}

/** A decimal number of the contract, 0 to 1,000,000; null for anything else. */
export const countFrom = (text: string | null): number | null => {
  if (text === null || !/^[0-9]{1,7}$/.test(text)) return null
  const count = Number(text)
  return count <= COUNT_LIMIT ? count : null
}
