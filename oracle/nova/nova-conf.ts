import { rmSync } from 'node:fs'
import path from 'node:path'
import { createHostFiles } from '@/agent/collect/host-files'
import { collectNovaConfig } from '@/agent/collect/nova-config'
import { createProblemLog } from '@/agent/collect/problem-log'
import { writeContents } from '@/agent/testing/tree'
import { effectiveOptions, multiValues, splitList } from '@/lib/domain/nova-config/effective-options'
import { type NovaRange, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { optionValue } from '@/lib/domain/nova-config/option-value'
import { configBool, pythonInt } from '@/lib/domain/nova-config/python-values'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import type { Explained } from '../harness/compare-function'
import type { OracleAnswer } from '../harness/open-oracle'
import { COMPARED, type NovaConfInput } from './nova-conf-text'

/** Null: refused. Otherwise the value of each option that is set. */
export type NovaConfResult = Record<string, unknown> | null

const UNIT = '/sys/fs/cgroup/system.slice/nova-compute.service/cgroup.procs'

const collect = (root: string, { files: contents, arguments: words }: NovaConfInput) => {
  rmSync(root, { recursive: true, force: true })
  const command = ['/usr/bin/python3', '/usr/bin/nova-compute', ...words]
  writeContents(root, { ...contents, [UNIT]: '42\n', '/proc/42/cmdline': `${command.join('\0')}\0` })
  const problems = createProblemLog()
  const config = collectNovaConfig({ files: createHostFiles({ root, problems }), problems })
  return { config, isRefused: problems.list().some(({ message }) => message.includes('does not start')) }
}

const SWITCHES = new Set([
  'resume_guests_state_on_host_boot',
  'report_in_placement',
  'live_migration_permit_post_copy',
  'pci_in_placement',
])

const readValue = (config: NovaConfig, section: string, name: string): unknown => {
  const found = effectiveOptions(config).filter(
    ({ present, isEffective }) => isEffective && present.section === section && present.name === name,
  )
  if (found.length === 0) return undefined
  if (name === 'device_spec' || name === 'alias')
    return multiValues(config, { section, name }).map(({ option }) => option.value)
  const value = optionValue(config, { section, name }) ?? ''
  if (name === 'enabled_mdev_types') return splitList(found[0]?.option.value ?? '')
  if (SWITCHES.has(name)) return configBool(found[0]?.option.value ?? '')
  if (name !== 'live_migration_downtime') return value
  return value === '' ? undefined : pythonInt(value)
}

/** Reads the files as the agent does, and their options as the console does. */
export const createOurNovaConf =
  (folder: string) =>
  (input: NovaConfInput, range: NovaRange): NovaConfResult => {
    const { config, isRefused } = collect(path.join(folder, 'root'), input)
    if (isRefused || config === null) return null
    const known = COMPARED.filter(
      ([, name]) => name !== 'pci_in_placement' || rangeHas(range, 'pciInPlacement') !== false,
    )
    const found = known.flatMap(([section, name]) => {
      const value = readValue(config, section, name)
      return value === undefined ? [] : [[`${section}/${name}`, value] as const]
    })
    return found.some(([, value]) => value === null) ? null : Object.fromEntries(found)
  }

export const theirNovaConf = (answer: OracleAnswer): NovaConfResult =>
  'refused' in answer ? null : (answer.value as NovaConfResult)

/** Values that Nova refuses when it reads the option. */
const UNCHECKED: readonly (readonly [key: string, valid: RegExp])[] = [
  ['DEFAULT/host', /^[a-zA-Z0-9]([\w.-]*[a-zA-Z0-9])?$/],
  ['quota/driver', /^nova\.quota\.(Db|Noop|UnifiedLimits)QuotaDriver$/],
  ['libvirt/virt_type', /^(kvm|qemu)$/],
  ['libvirt/live_migration_downtime', /^\d+$/],
]

export const NOVA_CONF_EXPLAINED: readonly Explained<NovaConfInput, NovaConfResult>[] = [
  {
    reason: 'the agent replaces control characters of files, which Python drops as blanks at either end',
    matches: ({ input }) =>
      Object.values(input.files).some((text) => text.includes('\u001f') || text.includes('\u0085')),
  },
  {
    reason:
      'an indented line that looks like an option could be a password, so the agent does not report it as part of the value above',
    matches: ({ input }) =>
      Object.values(input.files).some((text) => /[\r\n][ \t]+(x|indented) = 1/.test(text)),
  },
  {
    reason:
      'Nova refuses some values of host, driver, virt_type and live_migration_downtime that the console shows as they are',
    matches: ({ ours, theirs }) =>
      theirs === null &&
      ours !== null &&
      UNCHECKED.some(([key, valid]) => ours[key] !== undefined && !valid.test(String(ours[key]))),
  },
]
