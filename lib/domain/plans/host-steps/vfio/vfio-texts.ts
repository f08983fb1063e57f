import { entryText, PCI_DROP_IN, type PciEntry, pciText } from '@/lib/domain/cloud/pci-layout'
import {
  CONFIG_DEPLOYMENTS,
  type ConfigDeployment,
  type ConfigText,
} from '@/lib/domain/nova-config/layout/config-text'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import { joinEncoded } from '@/lib/util/encode/encoded'
import { novaConf } from '@/lib/util/encode/nova-conf'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { systemd, systemdWord } from '@/lib/util/encode/systemd'
import type { PciChange } from './pci-change'
import { ansiblePciText, apiYamlTexts, helmPciText, moskPciText } from './pci-yaml-texts'
import type { VfioDraft } from './vfio-draft'

const UNIT = '/etc/systemd/system/sliceboard-vgpu-types.service'

/** All VFs of the chosen cards with what they carry afterwards; those of other cards stay with whoever sets them now. */
const typesOf = ({ targets }: VfioDraft): [address: string, typeNumber: number][] =>
  targets.flatMap(({ keep, set, toNumber }) =>
    [...keep, ...set].toSorted().map((address): [string, number] => [address, toNumber]),
  )

/** `sriov_numvfs` and the types are lost at a reboot, so a unit writes them before nova-compute starts. */
const unitText = (draft: VfioDraft): ConfigText => {
  const { joined, targets } = draft
  const host = joined.host.name
  // Without a variable: systemd would put in its own.
  const lines = typesOf(draft).map(([address, typeNumber]) => {
    const file = shellWord(`/sys/bus/pci/devices/${address}/nvidia/current_vgpu_type`)
    const write = sh`grep -qx ${typeNumber} ${file} || echo ${typeNumber} > ${file}`
    return systemd`ExecStart=/bin/sh -c ${systemdWord(write)}`
  })
  return {
    title: `Types of ${host} after a reboot`,
    path: `${UNIT} on ${host}`,
    language: 'ini',
    text: joinEncoded(
      [
        systemd`[Unit]`,
        systemd`Description=vGPU types of the VFs`,
        systemd`After=nvidia-vgpu-mgr.service`,
        systemd`Before=nova-compute.service libvirtd.service`,
        systemd``,
        systemd`[Service]`,
        systemd`Type=oneshot`,
        systemd`RemainAfterExit=yes`,
        ...targets.map(
          ({ entry }) =>
            systemd`ExecStart=/usr/lib/nvidia/sriov-manage -e ${systemdWord(entry.pgpu.address)}`,
        ),
        ...lines,
        systemd``,
        systemd`[Install]`,
        systemd`WantedBy=multi-user.target`,
        systemd``,
      ],
      '\n',
    ),
    notes: [
      'current_vgpu_type and the VFs themselves are lost at a reboot. Take the old types of these cards out of whatever sets them now.',
      'Then "systemctl daemon-reload" and "systemctl enable sliceboard-vgpu-types". Where libvirt or nova-compute are called otherwise, put their names into Before=.',
      'GPU instances of MIG have to be made before it runs: they are lost too.',
    ],
  }
}

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

/** [pci] for each deployment tool, the alias for Nova's API, and the unit that puts the types back after a reboot. */
export const vfioConfigs = (drafts: readonly VfioDraft[]): DeploymentConfig[] => {
  const isKolla = drafts.some(({ joined }) => joined.host.inventory.novaConfig?.deployment === 'kolla')
  const order = [...CONFIG_DEPLOYMENTS].sort((a, b) =>
    isKolla ? Number(b === 'kolla-ansible') - Number(a === 'kolla-ansible') : 0,
  )
  return order.map((deployment): DeploymentConfig => {
    if (deployment === 'juju') return { deployment, texts: [], problem: NOT_TOLD[deployment] }
    return {
      deployment,
      texts: [...pciTexts(deployment, drafts), ...drafts.map(unitText)],
      problem: null,
    }
  })
}
