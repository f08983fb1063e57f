import { pythonStrip } from '@/lib/util/python-strip'
import { type NovaRange, rangeHas } from './nova-releases'
import { strictBool } from './python-values'

/** What Nova's check of aliases depends on, in addition to the aliases. Null: not known. */
export type AliasContext = {
  range: NovaRange | null
  /** `[filter_scheduler] pci_in_placement` of the process that reads them; nova-api and nova-compute each have their own. */
  isByPlacement: boolean | null
}

/**
 * Why Nova refuses an alias. `parse`: in every release; `start`: only where aliases are checked at start (31.3.1, 32.0.0 and
 * newer). `because` is a clause about the alias.
 */
export type AliasFault = { index: number; name: string | null; kind: 'parse' | 'start'; because: string }

type Entry = Readonly<Record<string, unknown>>

/** Python's `$` also matches before a line feed at the end, and its `\d` every digit (nova/pci/utils.py PCI_VENDOR_PATTERN). */
const ID = /^[\p{Nd}a-fA-F]{4}\n?$/u

const oneOf =
  (...values: string[]) =>
  (value: string): string | null =>
    values.includes(value) ? null : `must be one of ${values.join(', ')}`

const id = (value: string): string | null => (ID.test(value) ? null : 'must be four hexadecimal digits')
const any = (): null => null

const SCHEMA: Readonly<Record<string, (value: string) => string | null>> = {
  name: (value) =>
    [...value].length >= 1 && [...value].length <= 256 ? null : 'must have 1 to 256 characters',
  capability_type: oneOf('pci'),
  product_id: id,
  vendor_id: id,
  device_type: oneOf('type-PCI', 'type-PF', 'type-VF'),
  numa_policy: oneOf('required', 'legacy', 'preferred', 'socket'),
  resource_class: any,
  traits: any,
  live_migratable: any,
}

const isKnownKey = (key: string, range: NovaRange | null): boolean => {
  if (!Object.hasOwn(SCHEMA, key)) return false
  if (key === 'resource_class' || key === 'traits') return rangeHas(range, 'aliasClassAndTraits') !== false
  return key !== 'live_migratable' || rangeHas(range, 'aliasLiveMigratable') !== false
}

/** nova/pci/request.py _ALIAS_SCHEMA, and the boolean that is read after it. Null: the alias has the right form. */
const schemaFault = (entry: unknown, range: NovaRange | null): string | null => {
  if (entry === undefined) return 'it is not JSON'
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'it is not a JSON object'
  if (!Object.hasOwn(entry, 'name')) return 'it has no name'
  for (const [key, value] of Object.entries(entry as Entry)) {
    if (!isKnownKey(key, range)) {
      const isNewer = Object.hasOwn(SCHEMA, key)
      return `Nova${isNewer ? ' of this release' : ''} does not know the key "${key}"`
    }
    if (typeof value !== 'string') return `${key} must be a text in quotes`
    const fault = SCHEMA[key]?.(value) ?? null
    if (fault !== null) return `${key} "${value}" ${fault}`
  }
  const { live_migratable: migratable } = entry as Entry
  return migratable === undefined || strictBool(migratable) !== null
    ? null
    : `live_migratable "${migratable}" is not a boolean; use "yes" or "no"`
}

type Spec = { index: number; entry: Entry }

const typeOf = ({ entry }: Spec): unknown => entry.device_type
const policyOf = ({ entry }: Spec): unknown => entry.numa_policy ?? 'legacy'
const hasIds = ({ entry }: Spec): boolean => entry.vendor_id !== undefined && entry.product_id !== undefined

/** Entries of one name are alternatives, and must agree (nova/pci/request.py get_alias_from_config). */
const mismatch = (first: Spec, next: Spec): string | null => {
  if (policyOf(first) !== policyOf(next))
    return 'its numa_policy differs from that of another entry of this name'
  if (typeOf(first) === undefined || typeOf(next) === undefined)
    return 'another entry has the same name, and Nova then needs the same device_type in both'
  return typeOf(first) === typeOf(next)
    ? null
    : 'its device_type differs from that of another entry of this name'
}

/** nova/pci/request.py _validate_multispec, _validate_required_ids. */
const startFault = (specs: readonly Spec[], spec: Spec, isByPlacement: boolean): string | null => {
  if (isByPlacement && specs.length > 1)
    return 'another entry has the same name, and with pci_in_placement an alias is one entry'
  if (hasIds(spec)) return null
  if (!isByPlacement) return 'it needs both vendor_id and product_id'
  return spec.entry.resource_class === undefined
    ? 'it needs vendor_id and product_id, or a resource_class'
    : null
}

/**
 * Why Nova refuses the aliases of a nova.conf, given as parsed JSON (undefined: not JSON) in their order; empty: it accepts all.
 * One refused alias is enough for Nova to refuse every alias. Source: nova/pci/request.py get_alias_from_config.
 */
export const aliasFaults = (
  entries: readonly unknown[],
  { range, isByPlacement }: AliasContext,
): AliasFault[] => {
  const faults: AliasFault[] = []
  const byName = new Map<string, Spec[]>()
  for (const [index, entry] of entries.entries()) {
    const because = schemaFault(entry, range)
    const written = (entry as Entry | undefined | null)?.name
    const name = typeof written === 'string' ? pythonStrip(written) : null
    if (because !== null || name === null) {
      faults.push({ index, name, kind: 'parse', because: because ?? 'it has no name' })
      continue
    }
    const specs = byName.get(name) ?? []
    byName.set(name, specs)
    const [first] = specs
    const spec = { index, entry: entry as Entry }
    const differs = first === undefined ? null : mismatch(first, spec)
    if (differs === null) specs.push(spec)
    else faults.push({ index, name, kind: 'parse', because: differs })
  }
  for (const [name, specs] of byName)
    for (const spec of specs) {
      const because =
        isByPlacement === null ? unsureFault(specs, spec) : startFault(specs, spec, isByPlacement)
      if (because !== null) faults.push({ index: spec.index, name, kind: 'start', because })
    }
  return faults.toSorted((a, b) => a.index - b.index)
}

/** Refused whether pci_in_placement is on or off. */
const unsureFault = (specs: readonly Spec[], spec: Spec): string | null => {
  const [on, off] = [startFault(specs, spec, true), startFault(specs, spec, false)]
  return on !== null && off !== null ? off : null
}

/** Whether Nova accepts the aliases; null: it depends on the minor release (31.3.1) or on a setting that is not known. */
export const areAliasesAccepted = (entries: readonly unknown[], context: AliasContext): boolean | null => {
  const faults = aliasFaults(entries, context)
  if (faults.some(({ kind }) => kind === 'parse')) return false
  const isChecked = rangeHas(context.range, 'aliasCheckAtStart')
  if (isChecked === false) return true
  if (faults.length > 0) return isChecked === true ? false : null
  if (context.isByPlacement !== null) return true
  return [true, false].some((isByPlacement) => aliasFaults(entries, { ...context, isByPlacement }).length > 0)
    ? null
    : true
}
