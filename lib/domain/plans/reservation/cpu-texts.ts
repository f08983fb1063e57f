import { CPU_OPTIONS, type CpuOptions, readCpuOptions } from '@/lib/domain/nova-config/cpu-options'
import type { ConfigDeployment, ConfigText } from '@/lib/domain/nova-config/layout/config-text'
import { type DeploymentConfig, likelyFirst } from '@/lib/domain/nova-config/layout/describe-configs'
import { iniText, type NovaSection, sectionMap } from '@/lib/domain/nova-config/layout/nova-sections'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { type Encoded, trimmedEnd } from '@/lib/util/encode/encoded'
import { novaConf, novaConfName, novaConfValue } from '@/lib/util/encode/nova-conf'
import { sh, shellOption } from '@/lib/util/encode/shell'
import { yamlDocument } from '@/lib/util/encode/yaml'

/** The file in the drop-in folder that the console writes for CPUs and memory. */
export const CPU_DROP_IN = '99-sliceboard-cpu.conf'

type Key = keyof CpuOptions
const KEYS = Object.keys(CPU_OPTIONS) as Key[]

/** An empty value takes a list back, 0 takes CPUs back (nova/virt/libvirt/driver.py reads both as not set). */
const optionText = (key: Key, options: CpuOptions): Encoded<'nova-conf'> => {
  const value = options[key]
  if (value !== null) return novaConfValue(String(value))
  return key === 'reservedCpus' ? novaConf`0` : novaConf``
}

const SECTIONS = [novaConf`DEFAULT`, novaConf`compute`]

/** Options that differ from `others` as sections of nova.conf; no sections where none differs. */
const cpuSections = (others: CpuOptions, wanted: CpuOptions): NovaSection[] => {
  const differing = KEYS.filter((key) => optionText(key, others) !== optionText(key, wanted))
  const written = differing.filter((key) => key !== 'reservedMemoryMib' || wanted[key] !== null)
  return SECTIONS.flatMap((name): NovaSection[] => {
    const options = written
      .filter((key) => CPU_OPTIONS[key][0] === name)
      .map((key) => [novaConfName(CPU_OPTIONS[key][1]), optionText(key, wanted)] as const)
    return options.length === 0 ? [] : [{ name, options }]
  })
}

const isOwn = (file: string): boolean => file.endsWith(`/${CPU_DROP_IN}`)

/** What the other files say, the console's own left out. */
const othersOf = (config: NovaConfig): CpuOptions =>
  readCpuOptions({
    ...config,
    files: config.files.filter((file) => !isOwn(file)),
    options: config.options.filter(({ file }) => !isOwn(file)),
  })

/** Content of the console's own file as its options tell it; null: there is none. */
export const ownCpuText = (config: NovaConfig): Encoded<'nova-conf'> | null => {
  if (!config.files.some(isOwn)) return null
  const own = config.options.filter(({ file }) => isOwn(file))
  const names = [...new Set(own.map(({ section }) => section))]
  return iniText(
    names.map((name) => ({
      name: novaConfName(name),
      options: own
        .filter(({ section }) => section === name)
        .map((option) => [novaConfName(option.name), novaConfValue(option.value)] as const),
    })),
  )
}

/** Content that the console's own file gets; null: the other files say it all. */
export const wantedCpuText = (config: NovaConfig, wanted: CpuOptions): Encoded<'nova-conf'> | null => {
  const sections = cpuSections(othersOf(config), wanted)
  return sections.length === 0 ? null : iniText(sections)
}

/** Every option that has a value, as a replacement for the existing ones. */
export const cpuOptionsText = (options: CpuOptions): Encoded<'nova-conf'> =>
  trimmedEnd(
    iniText(
      cpuSections(
        { shared: null, dedicated: null, pinSet: null, reservedCpus: null, reservedMemoryMib: null },
        options,
      ),
    ),
  )

/**
 * The text that changes `from` to `to`: a removed option is set to an empty value, because nova-compute would otherwise
 * keep reading it.
 */
export const cpuSwitchText = (from: CpuOptions, to: CpuOptions): Encoded<'nova-conf'> =>
  trimmedEnd(iniText(cpuSections(from, to)))

type TextInput = { host: string; sections: readonly NovaSection[]; after: CpuOptions; isPinSetLeft: boolean }

const pinNote = ({ isPinSetLeft }: TextInput): string[] =>
  isPinSetLeft
    ? [
        'Remove vcpu_pin_set wherever it is set: nova-compute does not start with both it and cpu_dedicated_set.',
      ]
    : []

const RESTART = 'nova-compute reads the file at its next start.'

const dropIn = (input: TextInput): ConfigText[] => [
  {
    title: `CPUs and memory of ${input.host}`,
    path: `/etc/nova/nova.conf.d/${CPU_DROP_IN}`,
    language: 'ini',
    text: iniText(input.sections),
    notes: [
      RESTART,
      'On Debian and Ubuntu nova-compute reads this folder before nova.conf. Remove these options from nova.conf and nova-compute.conf; otherwise this file has no effect.',
    ],
  },
]

const kolla = (input: TextInput): ConfigText[] => [
  {
    title: `nova.conf of ${input.host}`,
    path: `/etc/kolla/config/nova/${input.host}/nova.conf`,
    language: 'ini',
    text: iniText(input.sections),
    notes: [
      `Roll it out with "kolla-ansible reconfigure --tags nova ${shellOption(sh`--limit`, input.host)}" with your inventory. It restarts the container nova_compute.`,
      'Keep the other options of an existing file.',
      ...pinNote(input),
    ],
  },
]

const helm = (input: TextInput): ConfigText[] => [
  {
    title: `Values of the chart nova for ${input.host}`,
    path: 'conf:overrides:nova_compute:hosts in the values of the release nova',
    language: 'yaml',
    text: yamlDocument({
      conf: {
        overrides: {
          nova_compute: { hosts: [{ name: input.host, conf: { nova: sectionMap(input.sections) } }] },
        },
      },
    }),
    notes: [
      'Keep existing entries of other hosts in the list: Helm replaces the whole list.',
      ...pinNote(input),
    ],
  },
]

const mosk = (input: TextInput): ConfigText[] => [
  {
    title: `Node overrides for ${input.host}`,
    path: 'spec:nodes of the OpenStackDeployment',
    language: 'yaml',
    text: yamlDocument({
      apiVersion: 'lcm.mirantis.com/v1alpha1',
      kind: 'OpenStackDeployment',
      spec: {
        nodes: {
          [`kubernetes.io/hostname::${input.host}`]: {
            services: {
              compute: { nova: { nova_compute: { values: { conf: { nova: sectionMap(input.sections) } } } } },
            },
          },
        },
      },
    }),
    notes: [
      'A node may have only one label of spec:nodes. If it already has one, add these values under that label.',
      'Merge it with "kubectl -n openstack edit osdpl", then wait until the nova-compute pod of the node is recreated.',
      ...pinNote(input),
    ],
  },
]

const openstackAnsible = (input: TextInput): ConfigText[] => [
  {
    title: `Variables of ${input.host}`,
    path: `/etc/openstack_deploy/host_vars/${input.host}.yml`,
    language: 'yaml',
    text: yamlDocument({ nova_nova_conf_overrides: sectionMap(input.sections) }),
    notes: [
      'Merge it with existing overrides in the file. The role also has nova_reserved_host_memory_mb. Use one of the two.',
      `Roll it out with "openstack-ansible os-nova-install.yml --tags nova-config ${shellOption(sh`--limit`, input.host)}", and check that nova-compute was restarted.`,
      ...pinNote(input),
    ],
  },
]

/** Options of the charm nova-compute, which has them by their own names (charm-nova-compute config.yaml). */
const juju = ({ host, after }: TextInput): ConfigText[] => [
  {
    title: `Options of nova-compute for ${host}`,
    path: 'nova-compute-options.yaml',
    language: 'yaml',
    text: yamlDocument({
      'nova-compute': {
        'vcpu-pin-set': after.pinSet ?? '',
        'cpu-shared-set': after.shared ?? '',
        'cpu-dedicated-set': after.dedicated ?? '',
        ...(after.reservedMemoryMib === null ? {} : { 'reserved-host-memory': after.reservedMemoryMib }),
      },
    }),
    notes: [
      'Set it with "juju config nova-compute --file nova-compute-options.yaml".',
      'The option applies to all units of the application: hosts with GPUs need a separate nova-compute application.',
    ],
  },
]

const RENDERERS: Readonly<Record<ConfigDeployment, (input: TextInput) => ConfigText[]>> = {
  'nova-conf': dropIn,
  mosk,
  'openstack-helm': helm,
  'kolla-ansible': kolla,
  'openstack-ansible': openstackAnsible,
  juju,
}

/** CPUs and memory of a host as each deployment tool takes them, the likely one first. */
export const cpuConfigs = (host: string, config: NovaConfig, after: CpuOptions): DeploymentConfig[] => {
  const others = othersOf(config)
  const input: TextInput = {
    host,
    sections: cpuSections(others, after),
    after,
    isPinSetLeft: others.pinSet !== null && after.pinSet === null,
  }
  return likelyFirst([config.deployment]).map((deployment) => ({
    deployment,
    texts: RENDERERS[deployment](input),
    problem: null,
  }))
}
