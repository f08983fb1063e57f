import * as z from 'zod'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import type { Encoded } from '@/lib/util/encode/encoded'
import { jsonText } from '@/lib/util/encode/json'
import { novaConf, novaConfName, novaConfValue } from '@/lib/util/encode/nova-conf'
import { type DeviceSpec, deviceSpecSchema, matchesDeviceSpec, type PciFunction } from '../device-spec'
import { effectiveOptions, optionSource } from '../effective-options'

/**
 * A line of `[pci] device_spec` unchanged, and with traits; `functions` are those of the requested ones that it covers.
 */
export type TaggedLine = {
  source: string
  before: string
  after: Encoded<'nova-conf'>
  functions: readonly string[]
}

const rawSchema = z.record(z.string(), z.unknown())

type Entry = { spec: DeviceSpec; raw: Record<string, unknown> }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const entriesOf = (value: string, source: string): Entry[] =>
  [parsed(value)].flat().flatMap((one) => {
    const [spec, raw] = [deviceSpecSchema.safeParse(one), rawSchema.safeParse(one)]
    return spec.success && raw.success ? [{ spec: { ...spec.data, source }, raw: raw.data }] : []
  })

/** On one line with a space after colons and commas, as nova.conf has it in Nova's documents. */
const jsonLine = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return jsonText(value)
  return `{${Object.entries(value)
    .map(([key, entry]) => `${jsonText(key)}: ${jsonLine(entry)}`)
    .join(', ')}}`
}

const withTraits = ({ raw }: Entry, { on, off }: { on: readonly string[]; off: readonly string[] }) => {
  const now = typeof raw.traits === 'string' ? raw.traits.split(',').map((trait) => trait.trim()) : []
  const traits = [...now.filter((trait) => trait !== '' && !off.includes(trait)), ...on]
  return { ...raw, traits: [...new Set(traits)].toSorted().join(',') }
}

/**
 * The lines of `[pci] device_spec` that hand these functions out, with `on` among their traits and `off` not. For each
 * function the first entry that fits counts. Source: nova/pci/whitelist.py, nova/compute/pci_placement_translator.py.
 */
export const tagDeviceSpecs = (
  config: NovaConfig,
  {
    functions,
    on,
    off,
  }: { functions: readonly PciFunction[]; on: readonly string[]; off: readonly string[] },
): TaggedLine[] => {
  const lines = effectiveOptions(config)
    .filter(({ present }) => present.section === 'pci' && present.name === 'device_spec')
    .map(({ option, written }) => ({
      option,
      written,
      entries: entriesOf(option.value, optionSource(option)),
    }))
  const all = lines.flatMap(({ entries }) => entries)
  const taken = new Map<Entry, string[]>()
  for (const device of functions) {
    const entry = all.find(({ spec }) => matchesDeviceSpec(spec, device))
    if (entry !== undefined) taken.set(entry, [...(taken.get(entry) ?? []), device.address])
  }
  return lines.flatMap(({ option, written, entries }) => {
    const touched = entries.filter((entry) => taken.has(entry))
    if (touched.length === 0) return []
    const next = entries.map((entry) => (taken.has(entry) ? withTraits(entry, { on, off }) : entry.raw))
    return [
      {
        source: optionSource(option),
        before: `${written.name} = ${written.value}`,
        after: novaConf`${novaConfName(option.name)} = ${novaConfValue(jsonLine(Array.isArray(parsed(option.value)) ? next : next[0]))}`,
        functions: touched.flatMap((entry) => taken.get(entry) ?? []),
      },
    ]
  })
}
