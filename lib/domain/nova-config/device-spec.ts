import * as z from 'zod'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { oncePer } from '@/lib/util/once-per'
import { pythonStrip } from '@/lib/util/python-strip'
import { multiValues, optionSource } from './effective-options'
import { type NovaRange, novaSince, rangeHas } from './nova-releases'
import { type AddressSpec, readAddressSpec } from './pci-address-spec'
import { pciFlag } from './pci-flags'
import { isFalsy, pythonHex, strictBool } from './python-values'

/** What Nova's check of device_spec depends on, in addition to the entry. Null: not known. */
type DeviceSpecContext = {
  range: NovaRange | null
  /** `[pci] report_in_placement` of the same nova.conf. */
  isReported: boolean | null
}

type Entry = Readonly<Record<string, unknown>>

const MAX_ID = 0xffff

/** The vendor is trimmed first, so ` * ` is any vendor but no product. */
const idFault = (name: 'vendor_id' | 'product_id', value: unknown): string | null => {
  if (value === undefined) return null
  if (typeof value !== 'string') return `${name} must be a text in quotes`
  if ((name === 'vendor_id' ? pythonStrip(value) : value) === '*') return null
  const number = pythonHex(value)
  if (number === null) return `${name} "${value}" is not a hexadecimal number`
  return number > MAX_ID ? `${name} ${value} is above ffff` : null
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

const booleanFault = (entry: Entry, tag: string): string | null => {
  const value = entry[tag]
  return !isSet(value) || strictBool(value) !== null
    ? null
    : `${tag} ${JSON.stringify(value)} is not a boolean; use "yes" or "no"`
}

/** Tags that nova-compute reads as text when it writes the device into Placement. */
const textFault = (entry: Entry, tag: string): string | null =>
  isFalsy(entry[tag]) || typeof entry[tag] === 'string' ? null : `${tag} must be a text in quotes`

const tagFaults = (entry: Entry, { range, isReported }: DeviceSpecContext): (string | null)[] => [
  // Up to Nova 30 any value is taken, and other values than those of a boolean mean nothing.
  ...(rangeHas(range, 'deviceSpecBooleans') === false
    ? []
    : [booleanFault(entry, 'managed'), booleanFault(entry, 'live_migratable')]),
  ...(rangeHas(range, 'oneTimeUse') === false
    ? []
    : [
        booleanFault(entry, 'one_time_use'),
        strictBool(entry.one_time_use ?? false) === true && isReported === false
          ? `one_time_use needs report_in_placement = True in [pci] (${novaSince('oneTimeUse')} and newer)`
          : null,
      ]),
  ...(isReported === true
    ? [
        !isFalsy(entry.devname)
          ? 'devname does not work with report_in_placement; use the PCI address'
          : null,
        textFault(entry, 'resource_class'),
        textFault(entry, 'traits'),
      ]
    : []),
]

/**
 * Why nova-compute does not start with an entry of `[pci] device_spec`, as a clause; null: it accepts the entry. What depends on
 * network cards (`remote_managed`) is not checked. Source: nova/pci/devspec.py PciDeviceSpec, nova/pci/whitelist.py,
 * nova/compute/pci_placement_translator.py ensure_no_dev_spec_with_devname.
 */
export const deviceSpecFault = (entry: unknown, context: DeviceSpecContext): string | null => {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'it is not a JSON object'
  const spec = entry as Entry
  const hasName = !isFalsy(spec.devname)
  const { address } = spec
  const hasAddress = !isFalsy(address)
  const faults = [
    idFault('vendor_id', spec.vendor_id),
    idFault('product_id', spec.product_id),
    hasName && hasAddress ? 'it has both address and devname' : null,
    hasName ? null : readAddressSpec(address).because,
    ...tagFaults(spec, context),
  ]
  return faults.find((fault) => fault !== null) ?? null
}

/** What the console reads of one entry. Values as written. */
export const deviceSpecSchema = z.object({
  vendor_id: z.string().optional(),
  product_id: z.string().optional(),
  address: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  devname: z.string().optional(),
  resource_class: z.string().optional(),
  traits: z.string().optional(),
  managed: z.union([z.string(), z.boolean(), z.number()]).optional(),
  live_migratable: z.union([z.string(), z.boolean(), z.number()]).optional(),
  one_time_use: z.union([z.string(), z.boolean(), z.number()]).optional(),
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

/** Entries that nova-compute accepts, and those with which it does not start; `because` is a clause. */
export type DeviceSpecs = {
  specs: DeviceSpec[]
  malformed: { source: string; value: string; because: string }[]
}

const isEntry = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** Undefined: it is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The JSON objects of a `device_spec` or `alias` line with every key unchanged; empty for an invalid value. */
export const rawPciEntries = (value: string): Record<string, unknown>[] => {
  const json = parseJson(value)
  if (isEntry(json)) return [json]
  return Array.isArray(json) && json.every(isEntry) ? json : []
}

/** Nova accepts other values of these, and they mean nothing to it or are read as text only with PCI in Placement. */
const TAGS = ['resource_class', 'traits', 'managed', 'live_migratable', 'one_time_use'] as const

const isReadable = (key: string, value: unknown): boolean => {
  if (value === null || value === '') return false
  if (key === 'address' || key === 'devname') return !isFalsy(value)
  const tag = TAGS.find((name) => name === key)
  return tag === undefined || deviceSpecSchema.shape[tag].safeParse(value).success
}

const toSpec = (entry: Readonly<Record<string, unknown>>): z.infer<typeof deviceSpecSchema> | null => {
  const { success, data } = deviceSpecSchema.safeParse(
    Object.fromEntries(Object.entries(entry).filter(([key, value]) => isReadable(key, value))),
  )
  return success ? data : null
}

/** An entry of `device_spec`, as `rawPciEntries` reads it; null: its values are not readable. */
export const rawSpec = oncePer((entry: Readonly<Record<string, unknown>>): DeviceSpec | null => {
  const spec = toSpec(entry)
  return spec === null ? null : { ...spec, source: '' }
})

/** Whether an entry of `device_spec`, as `rawPciEntries` reads it, assigns a PCI function to guests. */
export const matchesRawEntry = (entry: Readonly<Record<string, unknown>>, device: PciFunction): boolean => {
  const spec = rawSpec(entry)
  return spec !== null && matchesDeviceSpec(spec, device)
}

/** nova.conf of a real host has a handful; a report that is odd on purpose must not cost seconds. */
const MAX_SPECS = 1000

type LineEntries =
  | { specs: z.infer<typeof deviceSpecSchema>[]; because: null }
  | { specs: null; because: string }

/** The entries of one `device_spec` line, or why nova-compute does not start with it (nova/pci/whitelist.py). */
export const readDeviceSpecLine = (value: string, context: DeviceSpecContext): LineEntries => {
  const json = parseJson(value)
  if (json === undefined) return { specs: null, because: 'it is not JSON' }
  const specs: z.infer<typeof deviceSpecSchema>[] = []
  for (const entry of Array.isArray(json) ? json : [json]) {
    const because = deviceSpecFault(entry, context)
    if (because !== null) return { specs: null, because }
    const spec = toSpec(entry)
    if (spec !== null) specs.push(spec)
  }
  return { specs, because: null }
}

/** Reads every `device_spec` line, old names and lists included. Source: nova/pci/whitelist.py, nova/conf/pci.py. */
export const readDeviceSpecs = (config: NovaConfig, range: NovaRange | null = null): DeviceSpecs => {
  const result: DeviceSpecs = { specs: [], malformed: [] }
  const isReported = pciFlag(config, 'report', range)
  for (const { option } of multiValues(config, { section: 'pci', name: 'device_spec' })) {
    const source = optionSource(option)
    const { specs, because } = readDeviceSpecLine(option.value, { range, isReported })
    if (specs === null) result.malformed.push({ source, value: option.value, because })
    else
      result.specs.push(
        ...specs.slice(0, MAX_SPECS - result.specs.length).map((entry) => Object.assign(entry, { source })),
      )
  }
  return result
}

const idMatch = (written: string | undefined): ((actual: string | null) => boolean) => {
  if (written === undefined || pythonStrip(written) === '*') return () => true
  const number = pythonHex(written)
  return (actual) => number !== null && actual !== null && Number.parseInt(actual, 16) === number
}

type Matcher = {
  isVendor: (actual: string | null) => boolean
  isProduct: (actual: string | null) => boolean
  address: AddressSpec | null
  /** The one function that it names, with the VFs of it; null: it names more, or by a pattern. */
  only: string | null
}

/** Each entry is compared with every VF of its host, and is never changed in place. */
const matcherOf = oncePer((spec: DeviceSpec): Matcher => {
  const address = readAddressSpec(spec.address).spec
  return {
    isVendor: idMatch(spec.vendor_id),
    isProduct: idMatch(spec.product_id),
    address,
    only: typeof spec.address === 'string' ? (address?.single ?? null) : null,
  }
})

/** A PCI function to be matched; `parentAddress` is the PF of a VF. `deviceId` null: not known (VFs). */
export type PciFunction = {
  address: string
  parentAddress: string | null
  vendorId: string | null
  deviceId: string | null
}

/**
 * Whether an entry hands a PCI function to guests. Numbers are compared as hex, so case and `0x` do not matter here; the full
 * address of a PF also matches its VFs. An entry by `devname` is for network cards. The product id of a VF, which a report
 * does not carry, is taken as matching. Source: nova/pci/devspec.py PciDeviceSpec.match, WhitelistPciAddress.match.
 */
export const matchesDeviceSpec = (spec: DeviceSpec, device: PciFunction): boolean => {
  if (spec.devname !== undefined) return false
  const { isVendor, isProduct, address, only } = matcherOf(spec)
  const { parentAddress } = device
  if (only !== null && only !== device.address && only !== parentAddress) return false
  if (address === null || !isVendor(device.vendorId)) return false
  const isUnknown = parentAddress !== null && device.deviceId === null
  if (!isUnknown && !isProduct(device.deviceId)) return false
  return address.isMatch(device.address) || (parentAddress !== null && address.single === parentAddress)
}

/**
 * Finds the entry by which Nova assigns a function: the first that matches. Hosts have an entry for each of hundreds of VFs, so
 * entries that name one function are found by its address.
 */
export const specFinder = <Entry>(
  entries: readonly Entry[],
  specOf: (entry: Entry) => DeviceSpec | null,
): ((device: PciFunction) => Entry | null) => {
  type Candidate = { entry: Entry; spec: DeviceSpec; index: number }
  const patterns: Candidate[] = []
  const byAddress = new Map<string, Candidate[]>()
  for (const [index, entry] of entries.entries()) {
    const spec = specOf(entry)
    if (spec === null) continue
    const { only } = matcherOf(spec)
    const list = only === null ? patterns : (byAddress.get(only) ?? [])
    list.push({ entry, spec, index })
    if (only !== null) byAddress.set(only, list)
  }
  return (device) => {
    const { address, parentAddress } = device
    const ofParent = parentAddress === null ? [] : (byAddress.get(parentAddress) ?? [])
    const found = [...(byAddress.get(address) ?? []), ...ofParent, ...patterns]
      .toSorted((a, b) => a.index - b.index)
      .find(({ spec }) => matchesDeviceSpec(spec, device))
    return found?.entry ?? null
  }
}
