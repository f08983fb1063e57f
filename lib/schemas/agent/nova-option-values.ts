import { GRAMMARS, type GrammarName, isWellFormed } from './grammar'

/** Null: the value has the form of its option. Else the rule that it breaks, as `must …`. */
type ValueCheck = (value: string) => string | null

const word =
  (name: GrammarName): ValueCheck =>
  (value) =>
    isWellFormed(name, value) ? null : GRAMMARS[name].rule

const listOf =
  (name: GrammarName, fold: (item: string) => string = (item) => item): ValueCheck =>
  (value) =>
    value.split(',').every((item) => isWellFormed(name, fold(item.trim())))
      ? null
      : `must be a comma-separated list; each entry ${GRAMMARS[name].rule}`

const orEmpty =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === '' ? null : check(value)

const number: ValueCheck = (value) => (/^\d{1,9}$/.test(value) ? null : 'must be a whole number')

/** oslo_config/types.py Boolean. */
const boolean: ValueCheck = (value) =>
  /^(true|false|1|0|on|off|yes|no)$/i.test(value) ? null : 'must be True or False'

const MAX_PCI_TEXT = 2048
/** oslo.config replaces `$name` by the value of another option, which could be a secret (oslo_config/cfg.py _substitute). */
const UNSAFE_TEXT = /[\p{C}$]/u

const PCI_VALUES: Readonly<Record<string, RegExp>> = {
  name: GRAMMARS.alias.pattern,
  vendor_id: /^(\*|(0x)?[0-9a-fA-F]{1,4})$/,
  product_id: /^(\*|(0x)?[0-9a-fA-F]{1,4})$/,
}

const isPciText = (key: string, value: unknown): boolean => {
  if (typeof value === 'boolean' || typeof value === 'number') return true
  if (typeof value !== 'string') return false
  if (value.length > MAX_PCI_TEXT || UNSAFE_TEXT.test(value)) return false
  return PCI_VALUES[key]?.test(value) ?? true
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The member of an entry of `device_spec` or `alias` that does not have the form that Nova reads; null: none. */
export const malformedPciMember = (entry: Readonly<Record<string, unknown>>): string | null => {
  for (const [key, value] of Object.entries(entry)) {
    if (!isWellFormed('optionName', key)) return key
    const texts = key === 'address' && isObject(value) ? Object.entries(value) : [[key, value] as const]
    if (texts.some(([name, text]) => !isWellFormed('optionName', name) || !isPciText(name, text))) return key
  }
  return null
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const pciEntries: ValueCheck = (value) => {
  const parsed = value.includes('\n') ? undefined : parseJson(value)
  const entries = Array.isArray(parsed) ? parsed : [parsed]
  if (!entries.every(isObject)) return 'must be a JSON object, or a list of them, in one line'
  const member = entries.map(malformedPciMember).find((found) => found !== null)
  return member == null
    ? null
    : `must have plain names and texts without control characters and $, and "${member}" has not`
}

const TYPES = listOf('vgpuTypeId')

const OF_TYPE: Readonly<Record<string, ValueCheck>> = {
  device_addresses: listOf('pciAddress', (item) => item.toLowerCase()),
  mdev_class: word('mdevClass'),
  max_instances: number,
}

const OF_SECTION: Readonly<Record<string, Readonly<Record<string, ValueCheck>>>> = {
  default: {
    vcpu_pin_set: orEmpty(word('cpuSet')),
    reserved_host_cpus: number,
    reserved_host_memory_mb: number,
  },
  compute: { cpu_shared_set: orEmpty(word('cpuSet')), cpu_dedicated_set: orEmpty(word('cpuSet')) },
  devices: { enabled_mdev_types: TYPES, enabled_vgpu_types: TYPES },
  pci: {
    device_spec: pciEntries,
    passthrough_whitelist: pciEntries,
    alias: pciEntries,
    report_in_placement: boolean,
  },
}

/** Section of one vGPU type; `vgpu_` is the name before Nova 24. */
const TYPE_SECTION = /^(?:mdev|vgpu)_(.+)$/s

const checkOf = (section: string, name: string): ValueCheck | null => {
  const typeId = TYPE_SECTION.exec(section)?.[1]
  if (typeId !== undefined)
    return isWellFormed('vgpuTypeId', typeId) && Object.hasOwn(OF_TYPE, name) ? (OF_TYPE[name] ?? null) : null
  const options = Object.hasOwn(OF_SECTION, section) ? OF_SECTION[section] : undefined
  return options !== undefined && Object.hasOwn(options, name) ? (options[name] ?? null) : null
}

/** Whether a change may write an option of nova.conf; section in any case, as oslo.config takes it. */
export const isWritableOption = (section: string, name: string): boolean =>
  checkOf(section.toLowerCase(), name) !== null

/**
 * Why a value of nova.conf must not be written, as `must …`; null: it has the form of its option. An option that no change
 * writes has no form.
 */
export const malformedOption = (option: { section: string; name: string; value: string }): string | null => {
  const check = checkOf(option.section.toLowerCase(), option.name)
  return check === null ? 'must be an option of vGPU types, PCI devices or CPU sets' : check(option.value)
}
