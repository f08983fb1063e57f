import { useMoreRows } from '@/components/ui/more-rows'
import { OmittedNote } from '@/components/ui/omitted-note'
import { Panel } from '@/components/ui/panel'
import type { TraitTexts } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { TextBlock } from './config-texts'

type Spec = TraitTexts['deviceSpecs'][number]

/** Entries drawn at first, and with each press more. */
const PAGE = 10

/** The new lines of each file that holds some, in their order. */
const filesOf = ({ lines }: Spec): { file: string; locations: string[]; text: string }[] => {
  const files = new Map<string, Spec['lines']>()
  for (const line of lines) {
    const file = line.source.replace(/:\d+$/, '')
    files.set(file, [...(files.get(file) ?? []), line])
  }
  return [...files].map(([file, ofFile]) => ({
    file,
    locations: ofFile.map(({ source }) => source.slice(file.length + 1)),
    text: `${ofFile.map(({ after }) => after).join('\n')}\n`,
  }))
}

const DeviceSpec = ({ spec }: { spec: Spec }) => (
  <li>
    <p className="mb-1.5 text-ink2 wrap-anywhere">
      <span className="font-mono text-small">{spec.trait}</span> for{' '}
      <span className="font-mono text-small">{spec.providers.join(', ')}</span>
    </p>
    {spec.problem === null ? null : <p className="text-warn wrap-anywhere">{spec.problem}</p>}
    <ul className="flex flex-col gap-3">
      {filesOf(spec).map(({ file, locations, text }) => (
        <TextBlock
          key={file}
          text={{
            title: `device_spec of ${spec.host} ${spec.address}`,
            path: `${file}, instead of ${locations.length === 1 ? 'line' : 'lines'} ${locations.join(', ')}`,
            language: 'ini',
            text,
            notes: spec.notes,
          }}
        />
      ))}
    </ul>
  </li>
)

/** Lines of nova.conf for pGPUs whose traits nova-compute writes itself. */
const DeviceSpecs = ({ deviceSpecs, totals }: Pick<TraitTexts, 'deviceSpecs' | 'totals'>) => {
  const { first, more } = useMoreRows(deviceSpecs, PAGE)
  const count = totals?.deviceSpecs ?? deviceSpecs.length
  return deviceSpecs.length === 0 ? null : (
    <Panel title="PCI in Placement" note={`add the traits of ${formatNoun(count, 'pGPU')} to nova.conf`}>
      <ul className="flex flex-col gap-3.5">
        {first.map((spec) => (
          <DeviceSpec key={`${spec.host} ${spec.address}`} spec={spec} />
        ))}
      </ul>
      {more}
      <OmittedNote listed={deviceSpecs.length} count={count} />
    </Panel>
  )
}

const Files = ({ files, totals }: Pick<TraitTexts, 'files' | 'totals'>) => {
  const { first, more } = useMoreRows(files, PAGE)
  return files.length === 0 ? null : (
    <Panel title="Provider config" note="sets traits without the console">
      <p className="mb-2 text-ink2">
        nova-compute can set the traits from a file on each host. The file lists every pGPU of the host in its
        state after the plan.
      </p>
      <ul className="flex flex-col gap-3.5">
        {first.map(({ host, text, problem, unwritten }) =>
          text === null ? (
            <li key={host} className="text-warn wrap-anywhere">
              {host}: {problem}
            </li>
          ) : (
            <li key={host}>
              {unwritten === undefined ? null : (
                <p className="text-warn wrap-anywhere">
                  No step writes the file on {host}: {unwritten}.
                </p>
              )}
              <details>
                <summary>{host}</summary>
                <ul className="mt-1.5">
                  <TextBlock text={text} />
                </ul>
              </details>
            </li>
          ),
        )}
      </ul>
      {more}
      <OmittedNote listed={files.length} count={totals?.files ?? files.length} />
    </Panel>
  )
}

/** The other ways to keep the traits of a change: each host's provider config, and lines for PCI in Placement. */
export const TraitTextsPanels = ({ traitTexts }: { traitTexts: TraitTexts }) => (
  <>
    <DeviceSpecs {...traitTexts} />
    <Files {...traitTexts} />
  </>
)
