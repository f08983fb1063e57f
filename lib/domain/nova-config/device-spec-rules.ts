import { pythonStrip } from '@/lib/util/python-strip'
import { type NovaRange, novaSince, rangeHas } from './nova-releases'
import { readAddressSpec } from './pci-address-spec'
import { isFalsy, pythonHex, strictBool } from './python-values'

/** What Nova's check of device_spec depends on, in addition to the entry. Null: not known. */
export type DeviceSpecContext = {
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
