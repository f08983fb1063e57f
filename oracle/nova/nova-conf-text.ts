import type { Random } from '../harness/random'

export type NovaConfInput = {
  /** By path below the root of the host. */
  files: Record<string, string>
  /** Of the command line of nova-compute. */
  arguments: string[]
  options: readonly (readonly [section: string, name: string])[]
}

type OptionValues = readonly [
  section: string,
  name: string,
  values: readonly [string, ...string[]],
  odd?: readonly [string, ...string[]],
]

const NO_SWITCH = ['maybe', 't', '2', '$virt_type'] as const
const REFERENCES = [
  '$host',
  '/$host/',
  `\${host}-x`,
  `\${libvirt.virt_type}`,
  '$virt_type',
  '$cpu_shared_set',
  `a\${compute.cpu_shared_set}`,
  '$state_path',
  '$host.x',
  '$nothing',
  `\${nothing.x}`,
  '$pci',
  '$report_in_placement',
  `\${pci.alias}`,
  '$$host',
  '\\$host',
  '$',
  '$1',
  '${',
  '$1$$',
  '$\\$host',
] as const

/**
 * Options that the agent reports, with values that Nova accepts and odd ones: refused, or with a reference to another option.
 * Blanks and quotes are added later.
 */
const VALUES: readonly OptionValues[] = [
  [
    'DEFAULT',
    'host',
    ['gpu01', 'gpu01.example.org', 'gpu-02'],
    ['$host', '$my_block_storage_ip', 'a-$driver'],
  ],
  ['DEFAULT', 'resume_guests_state_on_host_boot', ['true', 'False', 'ON', '0'], NO_SWITCH],
  ['DEFAULT', 'pci_passthrough_whitelist', ['{"vendor_id": "10de"}', '[{"address": "0000:06:00.0"}]']],
  ['DEFAULT', 'pci_alias', ['{"name": "old"}', '{"name": "old2"}']],
  ['DEFAULT', 'quota_driver', ['nova.quota.NoopQuotaDriver']],
  [
    'devices',
    'enabled_mdev_types',
    ['nvidia-35', 'nvidia-35, nvidia-36', 'nvidia-35,', ',,', 'a,,b ,'],
    REFERENCES,
  ],
  ['devices', 'enabled_vgpu_types', ['nvidia-40', 'nvidia-41,nvidia-42']],
  [
    'pci',
    'device_spec',
    ['{"vendor_id": "8086"}', '{"address": "*:0a:00.*"}', "{'a': 1}", '{"address": {"function": "[0-3]$"}}'],
    ['{"product_id": "$host"}', '{"a": "$$1\\$"}', '{"a": "$alias"}'],
  ],
  ['pci', 'passthrough_whitelist', ['{"product_id": "1eb8"}', '{"product_id": "25b6"}']],
  ['pci', 'alias', ['{"name": "gpu"}', '{"name": "t4", "device_type": "type-PF"}'], ['{"name": "$host"}']],
  ['pci', 'report_in_placement', ['True', 'no', 'yes', 'off'], NO_SWITCH],
  ['compute', 'cpu_shared_set', ['0-3', '2,4-8,^6'], REFERENCES],
  ['compute', 'provider_config_location', ['/etc/nova/provider_config/', '/srv/p: q'], REFERENCES],
  ['quota', 'driver', ['nova.quota.UnifiedLimitsDriver', 'nova.quota.DbQuotaDriver']],
  ['libvirt', 'virt_type', ['kvm', 'qemu']],
  ['libvirt', 'live_migration_permit_post_copy', ['true', 'false', '1'], NO_SWITCH],
  ['libvirt', 'live_migration_downtime', ['500', '500000', '100'], ['99', '$host', '500 ms', '1e3']],
  ['libvirt', 'live_migration_downtime_steps', ['3', '10'], ['2', '+4', '3.0']],
  ['libvirt', 'live_migration_downtime_delay', ['3', '75'], ['2', '0', '1_0']],
  ['libvirt', 'live_migration_completion_timeout', ['0', '800'], ['-1', 'none', '-0']],
  ['filter_scheduler', 'pci_in_placement', ['true', 'no'], NO_SWITCH],
  ['workarounds', 'unified_limits_count_pcpu_as_vcpu', ['True', 'off'], NO_SWITCH],
]

const OLD_NAMES =
  /^(pci_alias|pci_passthrough_whitelist|quota_driver|enabled_vgpu_types|passthrough_whitelist)$/

export const COMPARED: NovaConfInput['options'] = VALUES.filter(([, name]) => !OLD_NAMES.test(name)).map(
  ([section, name]) => [section, name] as const,
)

const spelled = (random: Random, section: string): string => {
  if (random.chance(0.9)) return `[${section}]`
  return random.pick([
    `[${section.toUpperCase()}]`,
    `[${section.toLowerCase()}]`,
    `[ ${section}]`,
    `[${section}] `,
    `[${section}]]`,
  ])
}

type Blank = () => string

const ODD_BLANKS = [' ', ' ', ' ', '\t', '  ', '\u00a0', '\ufeff'] as const
const CONTROLS = ['\u001f', '\u0085'] as const

/** The blanks of one input; few inputs have control characters, and these have several. */
const createBlank = (random: Random): Blank => {
  const hasControls = random.chance(0.05)
  return () => {
    if (hasControls && random.chance(0.15)) return random.pick(CONTROLS)
    return random.pick(random.chance(0.95) ? ['', ' ', ' ', '\t'] : ODD_BLANKS)
  }
}

const valueText = (random: Random, blank: Blank, value: string): string => {
  const shape = random.next()
  if (shape < 0.8) return value
  if (shape < 0.86) return `"${value}"`
  if (shape < 0.89) return `'${value}'`
  if (shape < 0.94) return value.replace(/([,{])\s*/, '$1\n   ')
  if (shape < 0.96) return `${value}\n  ${random.pick(['more', '# no comment', 'x = 1', '', blank()])}`
  return random.pick(['"', "'", '""', '', `"${value}'`, `"${value} "`, `${value} # no comment`])
}

const optionLine = (random: Random, blank: Blank, name: string, value: string): string =>
  `${name}${blank()}${random.pick(['=', '=', '=', ':'])}${blank()}${valueText(random, blank, value)}${blank()}`

const OTHER_LINES = [
  '',
  '',
  '# a = 1',
  '; [pci]',
  '#',
  'debug = true',
  'transport_url = rabbit://u:p@h:5672//',
] as const
const FAULTY_LINES = [
  'no assignment',
  '= value',
  ': x',
  '[]',
  '[pci',
  'report_in_placement',
  '   indented = 1',
  '\u00a0x',
  '\ufeff',
] as const

const fileText = (random: Random, blank: Blank): string => {
  const lines: string[] = random.chance(0.02) ? ['early = 1'] : []
  if (random.chance(0.02)) lines.push('\ufeff# mark')
  const count = 1 + Math.floor(random.next() * 5)
  for (let index = 0; index < count; index += 1) {
    const [section, name, values] = random.pick(VALUES as [(typeof VALUES)[number], ...typeof VALUES])
    lines.push(spelled(random, section))
    for (const each of VALUES.filter(
      (one) => one[0] === section && (one[1] === name || random.chance(0.3)),
    )) {
      const value = random.pick(random.chance(0.06) ? (each[3] ?? each[2]) : each[2])
      lines.push(optionLine(random, blank, each[1], value))
      if (random.chance(0.2)) lines.push(optionLine(random, blank, each[1], random.pick(each[2])))
      if (random.chance(0.3)) lines.push(random.pick(OTHER_LINES))
    }
    if (random.chance(0.1)) lines.push(random.pick(FAULTY_LINES))
    if (values.length > 3 && random.chance(0.1)) lines.push(optionLine(random, blank, name, values[0]))
  }
  return lines.join(random.pick(['\n', '\n', '\n', '\n', '\r\n', '\r'])) + random.pick(['\n', '\n', ''])
}

const FILES = [
  '/etc/nova/nova.conf',
  '/etc/nova/nova-compute.conf',
  '/etc/nova/nova.conf.d/10-a.conf',
  '/etc/nova/nova.conf.d/9-b.conf',
  '/etc/nova/nova.conf.d/.hidden.conf',
  '/etc/nova/nova-compute.conf.d/c.conf',
  '/etc/nova/extra/B.conf',
  '/etc/nova/extra/a.conf',
  '/etc/nova/extra/a.conf.bak',
] as const

const ARGUMENTS: readonly [string[], ...string[][]] = [
  [],
  [],
  ['--config-file', '/etc/nova/nova.conf'],
  ['--config-file=/etc/nova/nova.conf', '--config-dir', '/etc/nova/extra'],
  ['--config-dir', '/etc/nova/extra'],
  ['--config-dir=/etc/nova/extra/', '--config-file', '/etc/nova/nova.conf'],
]

/** Files of nova.conf with a command line; half of them have a fault. */
export const generateNovaConf = (random: Random): NovaConfInput => {
  const blank = createBlank(random)
  const files: Record<string, string> = { '/etc/nova/nova.conf': fileText(random, blank) }
  for (const path of FILES) if (random.chance(0.15)) files[path] ??= fileText(random, blank)
  const args = random.pick(ARGUMENTS)
  if (args.some((arg) => arg.includes('/extra'))) files['/etc/nova/extra/a.conf'] ??= fileText(random, blank)
  return { files, arguments: args, options: COMPARED }
}
