import type { HostDetail } from '@/lib/schemas/api/host'

export type NovaOption = NonNullable<HostDetail['novaConfig']>['options'][number]

/** One line, or all lines of an option that the panel of PCI passthrough reads out. */
export type NovaConfigRow =
  | { kind: 'line'; option: NovaOption }
  | { kind: 'lines'; section: string; name: string; options: NovaOption[] }

const READ_OUT = ['device_spec', 'alias']

/** A host of vendor VFIO has a line for each VF. No other panel shows old or overridden options. */
const isReadOut = ({ section, name, isOverridden, presentName }: NovaOption): boolean =>
  section.toLowerCase() === 'pci' && READ_OUT.includes(name) && !isOverridden && presentName === null

/**
 * The options in the order of their lines; those that are shown under PCI passthrough as one row each, at the position of
 * the first.
 */
export const novaConfigRows = (options: readonly NovaOption[]): NovaConfigRow[] => {
  const folded = new Map<string, NovaOption[]>()
  return options.flatMap((option): NovaConfigRow[] => {
    if (!isReadOut(option)) return [{ kind: 'line', option }]
    const known = folded.get(option.name)
    known?.push(option)
    if (known !== undefined) return []
    const own = [option]
    folded.set(option.name, own)
    return [{ kind: 'lines', section: option.section, name: option.name, options: own }]
  })
}
