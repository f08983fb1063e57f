import { CommandLine } from '@/components/ui/command-line'
import { Panel } from '@/components/ui/panel'
import type { ChangePlan, TraitTexts } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { TextBlock } from './config-texts'

const Notes = ({ notes }: { notes: string[] }) => (
  <ul className="mt-1.5 list-disc pl-4 text-ink2">
    {notes.map((note) => (
      <li key={note} className="wrap-anywhere">
        {note}
      </li>
    ))}
  </ul>
)

const DeviceSpec = ({ spec }: { spec: TraitTexts['deviceSpecs'][number] }) => (
  <li>
    <p>
      <b className="font-semibold">{spec.host}</b>{' '}
      <span className="font-mono text-small">{spec.address}</span>{' '}
      <span className="break-all font-mono text-ink3 text-small">{spec.trait}</span>
    </p>
    <p className="break-all font-mono text-ink3 text-small">{spec.providers.join(', ')}</p>
    {spec.problem === null ? null : <p className="text-warn wrap-anywhere">{spec.problem}</p>}
    {spec.lines.map(({ source, before, after }) => (
      <div key={source} className="mt-1.5">
        <p className="text-ink2 wrap-anywhere">
          Instead of <code className="font-mono text-small">{before}</code> in{' '}
          <span className="font-mono text-small">{source}</span>:
        </p>
        <CommandLine command={after} />
      </div>
    ))}
    <Notes notes={spec.notes} />
  </li>
)

/** Lines of nova.conf for pGPUs whose traits nova-compute writes itself. */
const DeviceSpecs = ({ deviceSpecs }: Pick<TraitTexts, 'deviceSpecs'>) =>
  deviceSpecs.length === 0 ? null : (
    <Panel
      title="PCI in Placement"
      note={`traits of ${formatNoun(deviceSpecs.length, 'pGPU')} belong into nova.conf`}
    >
      <ul className="flex flex-col gap-3.5">
        {deviceSpecs.map((spec) => (
          <DeviceSpec key={`${spec.host} ${spec.address}`} spec={spec} />
        ))}
      </ul>
    </Panel>
  )

const Files = ({ files }: Pick<TraitTexts, 'files'>) =>
  files.length === 0 ? null : (
    <Panel title="Provider config" note="keeps traits without the console">
      <p className="mb-2 text-ink2">
        Nova can put the traits back itself, from a file on each host. It has every pGPU of the host, as the
        plan leaves it.
      </p>
      <ul className="flex flex-col gap-3.5">
        {files.map(({ host, text, problem }) =>
          text === null ? (
            <li key={host} className="text-warn wrap-anywhere">
              {host}: {problem}
            </li>
          ) : (
            <li key={host}>
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
    </Panel>
  )

/** The other ways to keep the traits of a change: each host's provider config, and lines for PCI in Placement. */
export const TraitTextsPanels = ({ preview: { traitTexts } }: Pick<ChangePlan, 'preview'>) =>
  traitTexts === undefined ? null : (
    <>
      <DeviceSpecs deviceSpecs={traitTexts.deviceSpecs} />
      <Files files={traitTexts.files} />
    </>
  )
