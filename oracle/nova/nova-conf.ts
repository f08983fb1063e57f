import { rmSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
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

type Clean = (text: string) => string

const withBlanks: Clean = (text) => text.replaceAll('\u001f', ' ').replaceAll('\u0085', ' ')

/** No line looks like an option then; `asWritten` restores such a line in a value. */
const withPlainLines: Clean = (text) => text.replaceAll(/([\r\n][ \t]+(?:x|indented)) = 1/g, '$1 is 1')
const asWritten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(/(^|\n)(x|indented) is 1/g, '$1$2 = 1') : value

/** Inputs that the console reads as Nova does once a part of them is replaced. */
const CLEANED: readonly (readonly [reason: string, cleans: readonly Clean[]])[] = [
  [
    'the agent replaces control characters of files, which Python drops as blanks at either end',
    [withBlanks],
  ],
  [
    'an indented line that looks like an option could be a password, so the agent does not report it as part of the value above',
    [withPlainLines],
  ],
  [
    'an input has control characters and an indented line that looks like an option',
    [withBlanks, withPlainLines],
  ],
]

const cleanedBy = (clean: Clean, input: NovaConfInput): NovaConfInput => ({
  ...input,
  files: Object.fromEntries(Object.entries(input.files).map(([name, text]) => [name, clean(text)])),
})

/** `folder` is for the files of an input; `range` has the releases whose rules the console uses. */
export const createNovaConfRules = (folder: string, range: NovaRange): Rule[] => {
  const read = createOurNovaConf(folder)
  const readCleaned = (input: NovaConfInput): NovaConfResult =>
    JSON.parse(JSON.stringify(read(input, range)), asWritten)
  const createRule = ([reason, cleans]: (typeof CLEANED)[number]): Rule => ({
    reason,
    matches: ({ input, theirs, answer }) => {
      if (cleans.some((clean) => isDeepStrictEqual(cleanedBy(clean, input), input))) return false
      const ours = readCleaned(cleans.reduce((cleaned, clean) => cleanedBy(clean, cleaned), input))
      return isDeepStrictEqual(ours, theirs) || isRefusedValue(ours, answer)
    },
  })
  return [
    {
      reason: 'Nova refuses some values of host, driver and virt_type, which the console shows as they are',
      matches: ({ ours, answer }) => isRefusedValue(ours, answer),
    },
    ...CLEANED.map(createRule),
  ]
}
