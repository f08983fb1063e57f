import { rmSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createHostFiles } from '@/agent/collect/host-files'
import { collectNovaConfig } from '@/agent/collect/nova-config'
import { createProblemLog } from '@/agent/collect/problem-log'
import { writeContents } from '@/agent/testing/tree'
import { effectiveOptions, multiValues, splitList } from '@/lib/domain/nova-config/effective-options'
import { readMigrationOptions } from '@/lib/domain/nova-config/migration-options'
import { type NovaRange, rangeHas } from '@/lib/domain/nova-config/nova-releases'
import { optionValue } from '@/lib/domain/nova-config/option-value'
import { configBool } from '@/lib/domain/nova-config/python-values'
import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import type { Explained } from '../harness/compare-function'
import type { OracleAnswer } from '../harness/open-oracle'
import { COMPARED, type NovaConfInput } from './nova-conf-text'

/** Null: refused. Otherwise the value of each option that is set. */
export type NovaConfResult = Record<string, unknown> | null

const UNIT = '/sys/fs/cgroup/system.slice/nova-compute.service/cgroup.procs'

const collect = (root: string, { files: contents, arguments: args }: NovaConfInput) => {
  rmSync(root, { recursive: true, force: true })
  const command = ['/usr/bin/python3', '/usr/bin/nova-compute', ...args]
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
  'unified_limits_count_pcpu_as_vcpu',
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
  const migration = readMigrationOptions(config).find((one) => one.name === name)
  if (migration === undefined) return value
  return value === '' ? undefined : migration.value
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

type Rule = Explained<NovaConfInput, NovaConfResult>

/** Values that Nova refuses when it reads the option. */
const UNCHECKED: readonly (readonly [section: string, name: string, valid: RegExp])[] = [
  ['DEFAULT', 'host', /^[a-zA-Z0-9]([\w.-]*[a-zA-Z0-9])?$/],
  ['quota', 'driver', /^nova\.quota\.(Db|Noop|UnifiedLimits)QuotaDriver$/],
  ['libvirt', 'virt_type', /^(kvm|qemu)$/],
]

const isRefusedValue = (ours: NovaConfResult, answer: OracleAnswer): boolean =>
  'refused' in answer &&
  UNCHECKED.some(([section, name, valid]) => {
    const value = ours?.[`${section}/${name}`]
    return value !== undefined && !valid.test(String(value)) && answer.refused.includes(`option ${name} `)
  })

/** No line looks like an option then; `asWritten` restores such a line in a value. */
const withPlainLines = (text: string): string =>
  text.replaceAll(/([\r\n][ \t]+(?:x|indented)) = 1/g, '$1 is 1')
const asWritten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(/(^|\n)(x|indented) is 1/g, '$1$2 = 1') : value

const cleanedInput = (input: NovaConfInput): NovaConfInput => ({
  ...input,
  files: Object.fromEntries(Object.entries(input.files).map(([name, text]) => [name, withPlainLines(text)])),
})

const REFERENCE = /\$(\{?)[_a-z]/i
/** How oslo.config fails for a reference that it cannot resolve. */
const UNRESOLVED = /no such (option|group)|substituting group|maximum recursion/

/** Options that the console replaces references to. */
const TEXTS = new Set([
  'DEFAULT/host',
  'compute/cpu_shared_set',
  'compute/provider_config_location',
  'libvirt/virt_type',
])

/** Whether a value still has a reference to an option whose value the console knows. */
const hasKnownReference = (ours: object, [option, value]: readonly [string, unknown]): boolean => {
  const known = Object.entries(ours).flatMap(([name, text]) =>
    TEXTS.has(name) && !String(text).includes('$') ? [name] : [],
  )
  const [section] = option.split('/')
  return [...JSON.stringify(value).matchAll(/\$\{?([_a-z][._a-z0-9]*)/gi)].some(([, reference = '']) =>
    reference.includes('.')
      ? known.includes(reference.replace('.', '/'))
      : known.includes(`${section}/${reference}`) || known.includes(`DEFAULT/${reference}`),
  )
}

/** Nova's defaults and options that are not reported are not known, so the other values are compared. */
const isOpenReference = (ours: NovaConfResult, theirs: NovaConfResult, answer: OracleAnswer): boolean => {
  const open = Object.entries(ours ?? {}).filter(([, value]) => REFERENCE.test(JSON.stringify(value)))
  if (ours === null || open.length === 0) return false
  if (theirs === null) return 'refused' in answer && UNRESOLVED.test(answer.refused)
  const different = open.filter(([name, value]) => !isDeepStrictEqual(value, theirs[name]))
  const names = different.map(([name]) => name)
  const others = (result: object) =>
    Object.entries(result)
      .filter(([name]) => !names.includes(name))
      .toSorted()
  return (
    !different.some((entry) => hasKnownReference(ours, entry)) &&
    isDeepStrictEqual(others(ours), others(theirs))
  )
}

/** `folder` is for the files of an input; `range` has the releases whose rules the console uses. */
export const createNovaConfRules = (folder: string, range: NovaRange): Rule[] => {
  const read = createOurNovaConf(folder)
  return [
    {
      reason: 'Nova refuses some values of host, driver and virt_type, which the console shows as they are',
      matches: ({ ours, answer }) => isRefusedValue(ours, answer),
    },
    {
      reason:
        'a reference to an option that nova.conf does not set, or that the agent does not report, stays as written',
      matches: ({ ours, theirs, answer }) => isOpenReference(ours, theirs, answer),
    },
    {
      reason:
        'an indented line that looks like an option could be a password, so the agent does not report it as part of the value above',
      matches: ({ input, theirs, answer }) => {
        const cleaned = cleanedInput(input)
        if (isDeepStrictEqual(cleaned, input)) return false
        const ours = JSON.parse(JSON.stringify(read(cleaned, range)), asWritten)
        return (
          isDeepStrictEqual(ours, theirs) ||
          isRefusedValue(ours, answer) ||
          isOpenReference(ours, theirs, answer)
        )
      },
    },
  ]
}
