import { entryText, PCI_DROP_IN, type PciEntry, pciText } from '@/lib/domain/cloud/pci-layout'
import {
  CONFIG_DEPLOYMENTS,
  type ConfigDeployment,
  type ConfigText,
} from '@/lib/domain/nova-config/layout/config-text'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { novaConf } from '@/lib/util/encode/nova-conf'
import type { PciChange } from './pci-change'
import { ansiblePciText, apiYamlTexts, helmPciText, moskPciText } from './pci-yaml-texts'
import { bootUnitText } from './vfio-boot-unit'
import type { VfioDraft } from './vfio-draft'

/** Aliases that come with these changes, each once. */
export const newAliases = (drafts: readonly Pick<PciChange, 'before' | 'after'>[]): PciEntry[] => {
  const found = drafts.flatMap(({ before, after }) =>
    after.aliases.filter((alias) => !before.aliases.includes(alias)),
  )
  return [...new Map(found.map((alias) => [entryText(alias.entry), alias])).values()]
}

const apiText = (drafts: readonly PciChange[]): ConfigText[] => {
  const aliases = newAliases(drafts)
  if (aliases.length === 0) return []
  return [
    {
      title: "The alias on the hosts of Nova's API",
      path: 'nova.conf of nova-api, and of nova-conductor and nova-scheduler where they have aliases',
      language: 'ini',
      text: joinEncoded(
        [novaConf`[pci]`, ...aliases.map(({ entry }) => novaConf`alias = ${entryText(entry)}`), novaConf``],
        '\n',
      ),
      notes: [
        'A flavor asks for it by pci_passthrough:alias. Nova refuses such a flavor until nova-api has the alias and was restarted.',
        'Where an agent runs on such a host, the page of a compute host says whether it is there; else a test boot shows it.',
      ],
    },
  ]
}

const OWN_PATHS: Readonly<Record<'nova-conf' | 'kolla-ansible', (host: string) => string>> = {
  'nova-conf': () => `/etc/nova/nova.conf.d/${PCI_DROP_IN}`,
  'kolla-ansible': (host) => `/etc/kolla/config/nova/${host}/nova.conf`,
}

const iniText = (
  { joined, after }: PciChange,
  pathOf: (host: string) => string,
  note: string,
): ConfigText => {
  const host = joined.host.name
  return {
    title: `[pci] of ${host}`,
    path: pathOf(host),
    language: 'ini',
    text: novaConf`${pciText(after)}\n`,
    notes: [note, 'Nova reads it at the next start of nova-compute.'],
  }
}

export const NOT_TOLD: Readonly<Record<'juju', string>> = {
  juju: 'The charm nova-compute-nvidia-vgpu knows mdevs alone, and pci-passthrough-whitelist of nova-compute is the same for every unit: put the drop-in on the host.',
}

const ownTexts = (deployment: ConfigDeployment, drafts: readonly PciChange[]): ConfigText[] => {
  if (deployment === 'nova-conf')
    return drafts.map((draft) =>
      iniText(
        draft,
        OWN_PATHS['nova-conf'],
        'Every line of device_spec counts, in whichever file: take those of these cards out of the other files.',
      ),
    )
  if (deployment === 'kolla-ansible')
    return drafts.map((draft) =>
      iniText(
        draft,
        OWN_PATHS['kolla-ansible'],
        'Kolla writes all lines of an option that a file names in place of those that were there before: keep the lines of other devices.',
      ),
    )
  if (deployment === 'openstack-helm') return drafts.map(helmPciText)
  if (deployment === 'mosk') return drafts.map(moskPciText)
  return deployment === 'openstack-ansible' ? drafts.map(ansiblePciText) : []
}

/** [pci] of the hosts as a deployment tool takes it, and the alias for Nova's API. */
export const pciTexts = (deployment: ConfigDeployment, drafts: readonly PciChange[]): ConfigText[] => [
  ...ownTexts(deployment, drafts),
  ...(deployment === 'mosk' || deployment === 'openstack-ansible'
    ? apiYamlTexts(deployment, newAliases(drafts))
    : apiText(drafts)),
]

/** [pci] for each deployment tool, the alias for Nova's API, and the unit that creates VFs, GPU instances and types after a reboot. */
export const vfioConfigs = (drafts: readonly VfioDraft[]): DeploymentConfig[] => {
  const isKolla = drafts.some(({ joined }) => joined.host.inventory.novaConfig?.deployment === 'kolla')
  const order = [...CONFIG_DEPLOYMENTS].sort((a, b) =>
    isKolla ? Number(b === 'kolla-ansible') - Number(a === 'kolla-ansible') : 0,
  )
  return order.map((deployment): DeploymentConfig => {
    if (deployment === 'juju') return { deployment, texts: [], problem: NOT_TOLD[deployment] }
    return {
      deployment,
      texts: [...pciTexts(deployment, drafts), ...drafts.map(bootUnitText)],
      problem: null,
    }
  })
}
