import { pythonStrip } from '@/lib/util/python-strip'
import { isFalsy, pythonHex } from './python-values'
import { readShortPattern } from './short-pattern'

const FIELDS = ['domain', 'bus', 'slot', 'function'] as const
type Field = (typeof FIELDS)[number]
type AddressFields = Record<Field, string>

const MAX: Readonly<Record<Field, number>> = { domain: 0xffff, bus: 0xff, slot: 0x1f, function: 7 }

/** Which PCI addresses an `address` of device_spec names. `single`: the one address that it names without a pattern. */
export type AddressSpec = { isMatch: (address: string) => boolean; single: string | null }
type ReadSpec = { spec: AddressSpec; because: null } | { spec: null; because: string }

const refused = (because: string): ReadSpec => ({ spec: null, because })

const splitAddress = (address: string): AddressFields | null => {
  const match = /^([0-9a-f]{4}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])$/.exec(address)
  if (match === null) return null
  return { domain: match[1] ?? '', bus: match[2] ?? '', slot: match[3] ?? '', function: match[4] ?? '' }
}

const ofFields =
  (isMatch: (fields: AddressFields) => boolean): AddressSpec['isMatch'] =>
  (address) => {
    const fields = splitAddress(address)
    return fields !== null && isMatch(fields)
  }

const addressText = ({ domain, bus, slot, function: func }: AddressFields): string =>
  `${domain}:${bus}:${slot}.${func}`

/** Null in the result: any value. A text: why Nova refuses the field. */
const readNumber = (field: Field, written: string): number | null | string => {
  if (written === '*') return null
  const number = pythonHex(written)
  if (number === null) return `the ${field} "${written}" of its address is not a hexadecimal number`
  return number > MAX[field]
    ? `the ${field} ${written} of its address is above ${MAX[field].toString(16)}`
    : number
}

/** `*:0a:00.*`: a field that is missing or `*` is any (nova/pci/devspec.py PciAddressGlobSpec). */
const readGlob = (glob: string): ReadSpec => {
  const dot = glob.indexOf('.')
  const left = (dot < 0 ? glob : glob.slice(0, dot)).split(':')
  if (left.length > 3) return refused(`its address ${glob} has more than three parts before the dot`)
  const func = dot < 0 ? '' : glob.slice(dot + 1)
  const written = [
    ...Array<string>(3 - left.length).fill('*'),
    ...left.map((part) => pythonStrip(part) || '*'),
    func === '' ? '*' : pythonStrip(func),
  ]
  const numbers = FIELDS.map((field, index) => readNumber(field, written[index] ?? '*'))
  const fault = numbers.find((number) => typeof number === 'string')
  if (typeof fault === 'string') return refused(fault)
  const isMatch = ofFields((fields) =>
    FIELDS.every((field, index) => {
      const number = numbers[index]
      return number === null || number === Number.parseInt(fields[field], 16)
    }),
  )
  const hex = (index: number, width: number) => Number(numbers[index]).toString(16).padStart(width, '0')
  const isSingle = numbers.every((number) => typeof number === 'number' && number >= 0)
  return {
    spec: {
      isMatch,
      single: isSingle ? `${hex(0, 4)}:${hex(1, 2)}:${hex(2, 2)}.${hex(3, 1)}` : null,
    },
    because: null,
  }
}

/** nova.conf of a real host has short ones; longer ones of an odd report are not read, and match nothing. */
const MAX_PATTERN = 64

/** In Python a `]` that comes first is an item of the brackets: `[]` and `[^]` have no end. */
const ESCAPE_OR_BRACKETS = /\\[\s\S]|\[(?:\^|(?!\^))(?:\]|\\[\s\S]|[^\]\\])(?:\\[\s\S]|[^\]\\])*\]/g

/** Whether Python's `re` compiles a pattern, as far as JavaScript's rules tell. */
const isPattern = (pattern: string): boolean => {
  if (pattern.replace(ESCAPE_OR_BRACKETS, '').includes('[')) return false
  try {
    return new RegExp(pattern.replaceAll('(?P<', '(?<')) instanceof RegExp
  } catch {
    return false
  }
}

const fieldMatch = (pattern: string): ((text: string) => boolean) =>
  (pattern.length > MAX_PATTERN ? null : readShortPattern(pattern)) ?? (() => false)

/** One regular expression for each field (nova/pci/devspec.py PciAddressRegexSpec); other keys are ignored. */
const readPatterns = (address: Readonly<Record<string, unknown>>): ReadSpec => {
  const patterns: [Field, string][] = []
  for (const field of FIELDS) {
    const written = address[field] === undefined ? '.*' : address[field]
    if (typeof written !== 'string') return refused(`the ${field} of its address is not a text`)
    if (written.length <= MAX_PATTERN && readShortPattern(written) === null && !isPattern(written))
      return refused(`the ${field} "${written}" of its address is not a regular expression`)
    patterns.push([field, written])
  }
  const matchers = patterns.map(([field, pattern]) => [field, fieldMatch(pattern)] as const)
  const isSingle = patterns.every(([, pattern]) => /^[0-9a-fA-F]*$/.test(pattern))
  return {
    spec: {
      isMatch: ofFields((fields) => matchers.every(([field, isField]) => isField(fields[field]))),
      single: isSingle ? addressText(Object.fromEntries(patterns) as AddressFields) : null,
    },
    because: null,
  }
}

const ANY: AddressSpec = { isMatch: ofFields(() => true), single: null }

/** The `address` of an entry of device_spec, or why Nova refuses it (nova/pci/devspec.py WhitelistPciAddress). */
export const readAddressSpec = (address: unknown): ReadSpec => {
  if (isFalsy(address)) return { spec: ANY, because: null }
  if (typeof address === 'string') return readGlob(address)
  if (typeof address === 'object' && !Array.isArray(address))
    return readPatterns(address as Readonly<Record<string, unknown>>)
  return refused('its address is neither a text nor an object')
}
