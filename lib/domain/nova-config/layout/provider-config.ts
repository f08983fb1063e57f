import {
  CUSTOM_TRAIT,
  PROVIDER_CONFIG_FILE,
  type ProviderTraits,
  providerConfigContent,
} from '@/lib/schemas/agent/provider-config'
import { listText } from '../../wording'
import { releaseHas } from '../nova-releases'
import type { ConfigText } from './config-text'

/** Read at the start of nova-compute, every *.yaml of the folder (`[compute] provider_config_location`). */
export const PROVIDER_CONFIG_FOLDER = '/etc/nova/provider_config/'

/** `<hypervisor>_0000:84:00.0`: made by PCI in Placement, whose traits nova-compute writes itself. */
const isPciProvider = (name: string): boolean => /_[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/.test(name)

const problemOf = ({ provider, traits }: ProviderTraits): string | null => {
  if (isPciProvider(provider))
    return `${provider} comes from PCI in Placement, and nova-compute overwrites its traits. Set them as "traits" in its [pci] device_spec.`
  const foreign = traits.filter((trait) => !CUSTOM_TRAIT.test(trait))
  return foreign.length === 0
    ? null
    : `${listText(foreign)} of ${provider} is not a custom trait, and nova-compute does not start with it. Remove it.`
}

/**
 * Why nova-compute would not start with these entries, or would undo them; empty when it takes them.
 * Source: nova/compute/provider_config.py, nova/compute/pci_placement_translator.py.
 */
export const checkProviderTraits = (entries: readonly ProviderTraits[], release: number): string[] => {
  const names = entries.map(({ provider }) => provider)
  const doubled = [...new Set(names.filter((name, index) => names.indexOf(name) < index))]
  return [
    ...(!releaseHas(release, 'providerConfig')
      ? [`Nova ${release} does not read provider config files. Nova 21 (Ussuri) and newer do.`]
      : []),
    ...doubled.map(
      (name) => `${name} is listed twice, so nova-compute does not start. Merge its traits into one entry.`,
    ),
    ...entries.flatMap((entry) => problemOf(entry) ?? []),
  ]
}

/**
 * Provider config of one host in Nova's schema 1.0: its traits survive when Nova recreates a provider. Providers without
 * traits are left out. Null if no provider remains.
 */
export const providerConfigText = (
  host: string,
  entries: readonly ProviderTraits[],
  { folder = PROVIDER_CONFIG_FOLDER, isKolla = false }: { folder?: string; isKolla?: boolean } = {},
): ConfigText | null => {
  const tagged = entries.filter(({ traits }) => traits.length > 0)
  if (tagged.length === 0) return null
  return {
    title: `Managed traits of ${host}`,
    path: `${folder.replace(/\/+$/, '')}/${PROVIDER_CONFIG_FILE}`,
    language: 'yaml',
    text: providerConfigContent(tagged),
    notes: [
      'nova-compute reads the file only at its start, so restart it. From then on, it sets these traits whenever it recreates a provider.',
      'Providers are listed by name, because a recreated provider has another UUID. The UUID $COMPUTE_NODE would be the compute node, whose traits do not apply to its GPUs.',
      'nova-compute does not start if a provider is listed twice, in one file or in two files of the folder, or if the file has a standard trait or a trait that nova-compute sets.',
      'The console treats a file with this name and format as its own. The agent’s command write-provider-config replaces only such a file.',
      ...(isKolla
        ? ['Kolla-Ansible copies the file to the hosts: set its path in nova_cell_compute_provider_config.']
        : []),
      'A trait that is later removed from the file stays in Placement until you remove it there.',
    ],
  }
}

/** `traits` of a `[pci] device_spec`, for providers of PCI in Placement: Nova’s own list, separated by commas. */
export const deviceSpecTraits = (traits: readonly string[]): string => [...new Set(traits)].sort().join(',')
