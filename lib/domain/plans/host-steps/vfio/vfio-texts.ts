import { entryText, PCI_DROP_IN, type PciEntry, pciText } from '@/lib/domain/cloud/pci-layout'
import {
  CONFIG_DEPLOYMENTS,
  type ConfigDeployment,
  type ConfigText,
} from '@/lib/domain/nova-config/layout/config-text'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import { gpuInstancesOf, profileList } from '@/lib/domain/pgpu/gpu-instances'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { novaConf } from '@/lib/util/encode/nova-conf'
import { sh, shellArguments, shellWord } from '@/lib/util/encode/shell'
import { systemd, systemdWord } from '@/lib/util/encode/systemd'
import { formatNoun } from '@/lib/util/format'
import type { PciChange } from './pci-change'
import { ansiblePciText, apiYamlTexts, helmPciText, moskPciText } from './pci-yaml-texts'
import type { VfioDraft, VfioTarget } from './vfio-draft'

const UNIT = '/etc/systemd/system/sliceboard-vgpu-types.service'

type Line = Encoded<'systemd'>

const shellLine = (command: Encoded<'shell'>): Line => systemd`ExecStart=/bin/sh -c ${systemdWord(command)}`

const smiOf = ({ joined }: VfioDraft, { entry }: VfioTarget) =>
  joined.host.inventory.nvidiaSmi?.gpus.find(({ address }) => address === entry.pgpu.address)

/** MIG mode outlives a reboot on Ampere only (NVIDIA MIG User Guide, "Enable MIG Mode"); it is changed while the VFs are off. */
const migModeLine = ({ entry, to }: VfioTarget): Line[] =>
  to.isMigBacked ? [systemd`ExecStart=/usr/bin/nvidia-smi -i ${systemdWord(entry.pgpu.address)} -mig 1`] : []

/** Not while the card has VFs: sriov-manage would rebind it and remove GPU instances and types. */
const functionsLine = ({ entry }: VfioTarget): Line => {
  const { address } = entry.pgpu
  const count = shellWord(`/sys/bus/pci/devices/${address}/sriov_numvfs`)
  return shellLine(sh`grep -qvx 0 ${count} || /usr/lib/nvidia/sriov-manage -e ${shellArguments([address])}`)
}

/** The mode is runtime state that sriov-manage clears; it can be set only while no VF has a type. */
const mixedSizesLine = (draft: VfioDraft, target: VfioTarget): Line[] =>
  smiOf(draft, target)?.heterogeneousMode === 'enabled'
    ? [shellLine(sh`nvidia-smi vgpu -shm 1 -i ${shellWord(target.entry.pgpu.address)} || true`)]
    : []

const instancesLine = (draft: VfioDraft, target: VfioTarget): Line[] => {
  const instances = gpuInstancesOf(smiOf(draft, target))
  if (!target.to.isMigBacked || instances.length === 0) return []
  const address = shellWord(target.entry.pgpu.address)
  const profiles = shellWord(profileList(instances))
  const existing = sh`nvidia-smi mig -lgi -i ${address} | grep -qE ${shellWord('MIG +[0-9]')}`
  return [shellLine(sh`${existing} || nvidia-smi mig -i ${address} -cgi ${profiles} -C`)]
}

/** All VFs of the chosen cards with what they carry afterwards; those of other cards stay with what sets them now. */
const typeLines = ({ targets }: VfioDraft): Line[] =>
  targets.flatMap(({ keep, set, toNumber }) =>
    [...keep, ...set].toSorted().map((address) => {
      const file = shellWord(`/sys/bus/pci/devices/${address}/nvidia/current_vgpu_type`)
      return shellLine(sh`grep -qx ${toNumber} ${file} || echo ${toNumber} > ${file}`)
    }),
  )

const instanceNotes = (draft: VfioDraft): string[] =>
  draft.targets.flatMap((target) => {
    const instances = gpuInstancesOf(smiOf(draft, target))
    if (instances.length === 0) return []
    const { address } = target.entry.pgpu
    const count = formatNoun(instances.length, 'GPU instance')
    return [
      `${address} currently has ${count} (${profileList(instances)}). "sriov-manage -e" and "-d" remove them, so do not run it on this card. The unit skips it while the card has VFs.`,
    ]
  })

/**
 * VFs, GPU instances and types are lost at a reboot, so a unit creates them in this order before nova-compute starts. sriov-manage
 * rebinds the card, which removes its GPU instances, and a MIG-backed type needs one (stackhpc.linux roles/vgpu README).
 */
export const bootUnitText = (draft: VfioDraft): ConfigText => {
  const { joined, targets } = draft
  const host = joined.host.name
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
        ...targets.flatMap(migModeLine),
        ...targets.map(functionsLine),
        ...targets.flatMap((target) => mixedSizesLine(draft, target)),
        ...targets.flatMap((target) => instancesLine(draft, target)),
        ...typeLines(draft),
        systemd``,
        systemd`[Install]`,
        systemd`WantedBy=multi-user.target`,
        systemd``,
      ],
      '\n',
    ),
    notes: [
      'VFs, GPU instances and current_vgpu_type are lost at a reboot. The unit creates them in this order. Remove the old types of these cards from what sets them now.',
      'Then "systemctl daemon-reload" and "systemctl enable sliceboard-vgpu-types". If libvirt or nova-compute have other names, set these names in Before=.',
      ...instanceNotes(draft),
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
        'Flavors request it with pci_passthrough:alias. Nova refuses such a flavor until nova-api has the alias and was restarted.',
        'If an agent runs on such a host, the page of a compute host shows whether the alias exists. Otherwise use a test boot.',
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
    notes: [note, 'nova-compute reads the file at its next start.'],
  }
}

export const NO_CONFIG_REASON: Readonly<Record<'juju', string>> = {
  juju: 'The charm nova-compute-nvidia-vgpu only supports mdevs, and pci-passthrough-whitelist of nova-compute is the same for every unit. Write the drop-in on the host.',
}

const ownTexts = (deployment: ConfigDeployment, drafts: readonly PciChange[]): ConfigText[] => {
  if (deployment === 'nova-conf')
    return drafts.map((draft) =>
      iniText(
        draft,
        OWN_PATHS['nova-conf'],
        'Every line of device_spec applies, in every file. Remove the lines of these cards from the other files.',
      ),
    )
  if (deployment === 'kolla-ansible')
    return drafts.map((draft) =>
      iniText(
        draft,
        OWN_PATHS['kolla-ansible'],
        'Kolla replaces all lines of an option with those of the file. Keep the lines of other devices.',
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
    if (deployment === 'juju') return { deployment, texts: [], problem: NO_CONFIG_REASON[deployment] }
    return {
      deployment,
      texts: [...pciTexts(deployment, drafts), ...drafts.map(bootUnitText)],
      problem: null,
    }
  })
}
