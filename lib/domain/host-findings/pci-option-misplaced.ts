import { presentOption } from '@/lib/domain/nova-config/option-names'
import { listText } from '@/lib/domain/wording'
import type { NovaConfig, NovaOption } from '@/lib/schemas/agent/inventory'
import type { Detector, HostDetector } from './detector'

/** The intended option of each name, independent of its section. */
const MEANT: Readonly<Record<string, string>> = {
  device_spec: 'device_spec',
  passthrough_whitelist: 'device_spec',
  pci_passthrough_whitelist: 'device_spec',
  alias: 'alias',
  pci_alias: 'alias',
}

/** Names that Nova has in no section. */
const UNKNOWN: Readonly<Record<string, string>> = {
  device_specs: 'device_spec',
  pci_device_specs: 'device_spec',
  pci_device_spec: 'device_spec',
  passthrough_whitelists: 'device_spec',
  pci_passthrough_whitelists: 'device_spec',
  aliases: 'alias',
  pci_aliases: 'alias',
}

const isMisplaced = (option: NovaOption): boolean => {
  const section = option.section.toLowerCase()
  return (
    (section === 'default' || section === 'pci') &&
    MEANT[option.name] !== undefined &&
    presentOption(option).section !== 'pci'
  )
}

/** A name below `[pci]` that Nova knows below `[DEFAULT]` alone. */
const isUnknownInPci = (option: NovaOption): boolean =>
  option.section.toLowerCase() === 'pci' && option.name.startsWith('pci_') && MEANT[option.name] !== undefined

const misplaced = ({ options }: NovaConfig): NovaOption[] =>
  options.filter(
    (option) =>
      isMisplaced(option) ||
      isUnknownInPci(option) ||
      (option.section.toLowerCase() === 'pci' && UNKNOWN[option.name] !== undefined),
  )

/** PCI options below a section in which Nova has no option of that name. */
const detect: Detector = ({ inventory }) => {
  const found = inventory.novaConfig === null ? [] : misplaced(inventory.novaConfig)
  if (found.length === 0) return []
  const items = found.map(
    ({ file, line, section, name }) =>
      `${file}:${line} [${section}] ${name} belongs in [pci] as ${MEANT[name] ?? UNKNOWN[name] ?? name}`,
  )
  return [
    {
      code: 'pci-option-misplaced',
      severity: 'warning',
      sentence: `nova.conf has ${listText([...new Set(found.map(({ section, name }) => `[${section}] ${name}`))])}, which Nova does not read`,
      detail: `${listText(items)}. Nova has no option of that name there, and oslo.config ignores unknown options.`,
      pgpuAddress: null,
    },
  ]
}

export const pciOptionMisplaced: HostDetector = {
  findings: {
    'pci-option-misplaced': {
      title: 'A PCI option is in a section that Nova does not read',
      severities: ['warning'],
      detection:
        'nova.conf: alias, device_spec or report_in_placement is set in a section where Nova has no such option, or under a name such as aliases.',
      consequence: 'Nova ignores the line without an error.',
      nextStep: 'Move the line to [pci], and use its current name.',
      source: 'nova.conf',
    },
  },
  detect,
}
