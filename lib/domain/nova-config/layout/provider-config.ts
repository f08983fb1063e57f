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
    return `${provider} comes from PCI in Placement, and nova-compute overwrites its traits; put them into "traits" of its [pci] device_spec.`
  const foreign = traits.filter((trait) => !CUSTOM_TRAIT.test(trait))
  return foreign.length === 0
    ? null
    : `${listText(foreign)} of ${provider} is no custom trait, and nova-compute does not start with it; leave it out.`
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
      ? [`Nova ${release} reads no provider config; it came with 21 (Ussuri).`]
      : []),
    ...doubled.map(
      (name) => `${name} stands there twice, and nova-compute does not start with that; join its traits.`,
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
    title: `Traits that stay, of ${host}`,
    path: `${folder.replace(/\/+$/, '')}/${PROVIDER_CONFIG_FILE}`,
    language: 'yaml',
    text: providerConfigContent(tagged),
    notes: [
      'nova-compute reads it at its start alone, so it takes a restart; from then on it puts these traits back whenever it makes a provider anew.',
      'Providers stand there by name, since a re-created one has another uuid. A uuid $COMPUTE_NODE would be the compute node itself, whose traits do not count for its GPUs.',
      'nova-compute does not start with a provider that stands there twice, in one file or in two of the folder, nor with a standard trait or one that it sets itself.',
      'A file of this name and this very form is taken for the console’s own: the agent’s command write-provider-config may replace it, and no other.',
      ...(isKolla
        ? ['Kolla-Ansible copies it to the hosts: name the file in nova_cell_compute_provider_config.']
        : []),
      'A trait that is taken out of the file later stays in Placement until somebody removes it there.',
    ],
  }
}

/** `traits` of a `[pci] device_spec`, for providers of PCI in Placement: Nova’s own list, separated by commas. */
export const deviceSpecTraits = (traits: readonly string[]): string => [...new Set(traits)].sort().join(',')
