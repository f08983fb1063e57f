import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import type { HostDetail } from '@/lib/schemas/api/host'
import { classNames } from '@/lib/util/class-names'
import { formatNoun } from '@/lib/util/format'

export type NovaOption = NonNullable<HostDetail['novaConfig']>['options'][number]

/** One line, or all lines of an option that the panel of PCI passthrough reads out. */
type NovaConfigRow =
  | { kind: 'line'; option: NovaOption }
  | { kind: 'lines'; section: string; name: string; options: NovaOption[] }

const READ_OUT = ['device_spec', 'alias']

/** A host of vendor VFIO has a line for each VF. No other panel shows old or overridden options. */
const isReadOut = ({ section, name, isOverridden, presentName }: NovaOption): boolean =>
  section.toLowerCase() === 'pci' && READ_OUT.includes(name) && !isOverridden && presentName === null

/**
 * The options in the order of their lines; those that are shown under PCI passthrough as one row each, at the position of
 * the first.
 */
export const novaConfigRows = (options: readonly NovaOption[]): NovaConfigRow[] => {
  const folded = new Map<string, NovaOption[]>()
  return options.flatMap((option): NovaConfigRow[] => {
    if (!isReadOut(option)) return [{ kind: 'line', option }]
    const known = folded.get(option.name)
    known?.push(option)
    if (known !== undefined) return []
    const own = [option]
    folded.set(option.name, own)
    return [{ kind: 'lines', section: option.section, name: option.name, options: own }]
  })
}

const DEPLOYMENT_LABELS: Record<string, string> = {
  package: 'default path of the distribution’s package',
  kolla: 'default path of Kolla-Ansible',
  'openstack-helm': 'default path of openstack-helm',
  tripleo: 'default path of TripleO',
  rhoso: 'default path of RHOSO',
  snap: 'default path of the Sunbeam snap',
  given: 'path configured for the agent',
}

const OptionRow = ({ option }: { option: NovaOption }) => (
  <Tr className={option.isOverridden ? 'text-ink3' : ''}>
    <Td className="whitespace-nowrap align-top font-mono text-small">[{option.section}]</Td>
    <Td className="min-w-48 align-top">
      <span className="break-all font-mono text-small">
        <span className="font-[550]">{option.name}</span> ={' '}
        <span className={classNames(option.isOverridden && 'line-through')}>
          {option.value === '' ? '(empty)' : option.value}
        </span>
      </span>
      <span className="ml-1.5 inline-flex flex-wrap gap-1">
        {option.isOverridden ? <Tag>overridden by another line</Tag> : null}
        {option.presentName === null ? null : <Tag>old name of {option.presentName}</Tag>}
      </span>
    </Td>
    <Td className="min-w-56 break-all align-top font-mono text-ink2 text-small">
      {option.file}:{option.line}
    </Td>
  </Tr>
)

/** Their meaning is shown under PCI passthrough, each with its pGPUs; here they are shown unchanged. */
const LinesRow = ({ section, name, options }: Extract<NovaConfigRow, { kind: 'lines' }>) => (
  <Tr>
    <Td className="whitespace-nowrap align-top font-mono text-small">[{section}]</Td>
    <Td className="min-w-48 align-top">
      <details className="text-small">
        <summary className="cursor-pointer">
          <span className="font-[550] font-mono">{name}</span>
          <span className="text-ink2">
            : {formatNoun(options.length, 'line')}, shown under PCI passthrough
          </span>
        </summary>
        <ul className="m-0 mt-1 flex list-none flex-col gap-1 p-0 font-mono">
          {options.map(({ file, line, value }) => (
            <li key={`${file}:${line}`} className="break-all">
              {value === '' ? '(empty)' : value} <span className="text-ink2">{`${file}:${line}`}</span>
            </li>
          ))}
        </ul>
      </details>
    </Td>
    <Td className="min-w-56 break-all align-top font-mono text-ink2 text-small">
      {[...new Set(options.map(({ file }) => file))].join(', ')}
    </Td>
  </Tr>
)

/** The options of nova.conf that matter here, with the line that set each. */
export const NovaConfigPanel = ({ config }: { config: HostDetail['novaConfig'] }) => {
  if (config === null)
    return (
      <Panel title="nova.conf">
        <p className="text-ink2">
          Not found in the default locations. Set the path with the agent option <code>--nova-config</code>.
        </p>
      </Panel>
    )
  return (
    <Panel
      title="nova.conf"
      note={`${DEPLOYMENT_LABELS[config.deployment] ?? config.deployment}; only the options that concern GPUs`}
    >
      <p className="mb-2 break-all text-ink2 text-small">
        Read in this order: <span className="font-mono">{config.files.join(', ') || 'no file'}</span>
      </p>
      {config.options.length === 0 ? (
        <p className="text-ink2">None of these options is set.</p>
      ) : (
        <SideScroll className="-mb-3">
          <Table>
            <thead>
              <tr>
                <Th>Section</Th>
                <Th>Option</Th>
                <Th>Set in</Th>
              </tr>
            </thead>
            <tbody>
              {novaConfigRows(config.options).map((row) =>
                row.kind === 'lines' ? (
                  <LinesRow key={row.name} {...row} />
                ) : (
                  <OptionRow
                    key={`${row.option.file}:${row.option.line}:${row.option.name}`}
                    option={row.option}
                  />
                ),
              )}
            </tbody>
          </Table>
        </SideScroll>
      )}
    </Panel>
  )
}
