import * as z from 'zod'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { effectiveOptions, optionSource } from './effective-options'
import { readShortPattern } from './short-pattern'

const addressDict = z.object({
  domain: z.string().optional(),
  bus: z.string().optional(),
  slot: z.string().optional(),
  function: z.string().optional(),
})

/** What the console reads of one entry. */
export const deviceSpecSchema = z.object({
  vendor_id: z.string().optional(),
  product_id: z.string().optional(),
  address: z.union([z.string(), addressDict]).optional(),
  devname: z.string().optional(),
  resource_class: z.string().optional(),
  managed: z.union([z.string(), z.boolean()]).optional(),
  live_migratable: z.union([z.string(), z.boolean()]).optional(),
})

/** One entry of `[pci] device_spec` and the line that holds it. */
export type DeviceSpec = z.infer<typeof deviceSpecSchema> & { source: string }

const keyText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** An entry in short, for a person: `vendor_id 10de, product_id 1024`. */
export const deviceSpecText = ({ source: _, ...entry }: DeviceSpec): string => {
  const keys = Object.entries(entry).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} ${keyText(value)}`],
  )
  return keys.length === 0 ? 'every device' : keys.join(', ')
}

/** All entries, and the lines that are not valid JSON objects (nova-compute refuses to start on those). */
export type DeviceSpecs = { specs: DeviceSpec[]; malformed: { source: string; value: string }[] }

const entriesSchema = z.union([deviceSpecSchema.transform((entry) => [entry]), z.array(deviceSpecSchema)])

const rawEntry = z.record(z.string(), z.unknown())
const rawEntriesSchema = z.union([rawEntry.transform((entry) => [entry]), z.array(rawEntry)])

/** Undefined: it is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The JSON objects of a `device_spec` or `alias` line with every key as it stands; empty for what is none. */
export const rawPciEntries = (value: string): Record<string, unknown>[] =>
  rawEntriesSchema.safeParse(parseJson(value)).data ?? []

/** Whether an entry of `device_spec`, as `rawPciEntries` reads it, hands a PCI function to guests. */
export const matchesRawEntry = (entry: Readonly<Record<string, unknown>>, device: PciFunction): boolean => {
  const { data } = deviceSpecSchema.safeParse(entry)
  return data !== undefined && matchesDeviceSpec({ ...data, source: '' }, device)
}

/** nova.conf of a real host has a handful; a report that is odd on purpose must not cost seconds. */
const MOST_SPECS = 1000
const LONGEST_PATTERN = 64

/** Reads every `device_spec` line, old names and lists included. Source: nova/pci/whitelist.py, nova/conf/pci.py. */
export const readDeviceSpecs = (config: NovaConfig): DeviceSpecs => {
  const result: DeviceSpecs = { specs: [], malformed: [] }
  for (const { option, present } of effectiveOptions(config)) {
    if (present.section !== 'pci' || present.name !== 'device_spec') continue
    const source = optionSource(option)
    const parsed = entriesSchema.safeParse(parseJson(option.value))
    const room = MOST_SPECS - result.specs.length
    if (parsed.success)
      result.specs.push(...parsed.data.slice(0, room).map((entry) => ({ ...entry, source })))
    else result.malformed.push({ source, value: option.value })
  }
  return result
}

const FIELDS = ['domain', 'bus', 'slot', 'function'] as const
type Field = (typeof FIELDS)[number]
type AddressFields = Record<Field, string>
type AddressMatch = (address: AddressFields) => boolean

const splitAddress = (address: string): AddressFields | null => {
  const match = /^([0-9a-f]{4}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])$/.exec(address)
  if (match === null) return null
  return { domain: match[1] ?? '', bus: match[2] ?? '', slot: match[3] ?? '', function: match[4] ?? '' }
}

/** Null: `*` or nothing, which any number matches; NaN: no hex, which none does. */
const writtenHex = (written: string): number | null => {
  const text = written.trim()
  if (text === '' || text === '*') return null
  return /^[0-9a-f]+$/i.test(text) ? Number.parseInt(text, 16) : Number.NaN
}

/** `*:0a:00.*`: fields that are left off or `*` match anything (PciAddressGlobSpec). */
const globMatch = (glob: string): AddressMatch => {
  const dot = glob.indexOf('.')
  const left = (dot < 0 ? glob : glob.slice(0, dot)).split(':')
  if (left.length > 3) return () => false
  const written = [...Array<string>(3 - left.length).fill('*'), ...left, dot < 0 ? '' : glob.slice(dot + 1)]
  const numbers = FIELDS.flatMap((field, place) => {
    const number = writtenHex(written[place] ?? '')
    return number === null ? [] : [{ field, number }]
  })
  return (address) => numbers.every(({ field, number }) => Number.parseInt(address[field], 16) === number)
}

const fieldMatch = (field: Field, pattern: string | undefined): AddressMatch => {
  if (pattern === undefined) return () => true
  if (pattern.length > LONGEST_PATTERN) return () => false
  const isMatch = readShortPattern(pattern)
  return isMatch === null ? () => false : (address) => isMatch(address[field])
}

const addressMatch = ({ address }: DeviceSpec): AddressMatch => {
  if (address === undefined || address === '') return () => true
  if (typeof address === 'string') return globMatch(address)
  const fields = FIELDS.map((field) => fieldMatch(field, address[field]))
  return (actual) => fields.every((isMatch) => isMatch(actual))
}

const idMatch = (written: string | undefined): ((actual: string | null) => boolean) => {
  const text = (written ?? '*').trim()
  if (text === '*') return () => true
  const number = text === '' ? Number.NaN : writtenHex(text)
  return (actual) => actual !== null && Number.parseInt(actual, 16) === number
}

type Matcher = {
  isVendor: (actual: string | null) => boolean
  isProduct: (actual: string | null) => boolean
  isAddress: AddressMatch
  isSingleAddress: boolean
}

/** Each entry is held against every VF of its host, and is never changed in place. */
const matchers = new WeakMap<DeviceSpec, Matcher>()

const matcherOf = (spec: DeviceSpec): Matcher => {
  const known = matchers.get(spec)
  if (known !== undefined) return known
  const matcher = {
    isVendor: idMatch(spec.vendor_id),
    isProduct: idMatch(spec.product_id),
    isAddress: addressMatch(spec),
    isSingleAddress:
      typeof spec.address === 'string' && splitAddress(spec.address.trim().toLowerCase()) !== null,
  }
  matchers.set(spec, matcher)
  return matcher
}

const isAddressMatch = ({ isAddress }: Matcher, address: string): boolean => {
  const fields = splitAddress(address)
  return fields !== null && isAddress(fields)
}

/** A PCI function to be matched; `parentAddress` is the PF of a VF. `deviceId` null: not known (VFs). */
export type PciFunction = {
  address: string
  parentAddress: string | null
  vendorId: string | null
  deviceId: string | null
}

/**
 * Whether an entry hands a PCI function to guests. Numbers are compared as hex, so case does not matter here; the full
 * address of a PF also matches its VFs. An entry by `devname` is for network cards. The product id of a VF, which a report
 * does not carry, is taken as matching. Source: nova/pci/devspec.py.
 */
export const matchesDeviceSpec = (spec: DeviceSpec, device: PciFunction): boolean => {
  if (spec.devname !== undefined) return false
  const matcher = matcherOf(spec)
  const { address, parentAddress } = device
  if (!matcher.isVendor(device.vendorId)) return false
  if (parentAddress === null && !matcher.isProduct(device.deviceId)) return false
  if (isAddressMatch(matcher, address)) return true
  return parentAddress !== null && matcher.isSingleAddress && isAddressMatch(matcher, parentAddress)
}
