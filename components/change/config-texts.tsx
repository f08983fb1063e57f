import { Download } from 'lucide-react'
import { CopyButton } from '@/components/ui/copyable'
import { downloadText } from '@/components/ui/download-text'
import { useMoreRows } from '@/components/ui/more-rows'
import { OmittedNote } from '@/components/ui/omitted-note'
import { Panel } from '@/components/ui/panel'
import { Tabs } from '@/components/ui/tabs'
import { DEPLOYMENT_NAMES } from '@/lib/domain/nova-config/layout/config-text'
import type { TypeChangePreview } from '@/lib/schemas/api/change'
import { storedText } from '@/lib/util/encode/stored'
import { formatNoun } from '@/lib/util/format'
import { fileNameOf } from './config-file-name'

type Config = NonNullable<TypeChangePreview['configs']>[number]
type Text = Config['texts'][number]

const DownloadButton = ({ text }: { text: Text }) => (
  <button
    type="button"
    aria-label={`Download ${text.title}`}
    onClick={() => downloadText({ name: fileNameOf(text), type: 'text/plain', text: storedText(text.text) })}
    className="inline-flex size-[22px] items-center justify-center rounded-tag text-ink3 hover:bg-line2 hover:text-ink print:hidden"
  >
    <Download size={13} aria-hidden />
  </button>
)

/** A text with its place, a copy and a download, and what to check. */
export const TextBlock = ({ text }: { text: Text }) => (
  <li>
    <div className="mb-1 flex flex-wrap items-start gap-x-2">
      <b className="min-w-0 font-semibold wrap-anywhere">{text.title}</b>
      <span className="ml-auto flex">
        <CopyButton text={text.text} label={`Copy ${text.title}`} />
        <DownloadButton text={text} />
      </span>
    </div>
    <p className="mb-1 whitespace-pre-line font-mono text-ink3 text-small wrap-anywhere">{text.path}</p>
    <pre className="m-0 whitespace-pre-wrap rounded-control border border-line bg-bg px-3 py-1.5 font-mono text-small wrap-anywhere">
      {text.text.trimEnd()}
    </pre>
    <ul className="mt-1.5 list-disc pl-4 text-ink2">
      {text.notes.map((note) => (
        <li key={note} className="wrap-anywhere">
          {note}
        </li>
      ))}
    </ul>
  </li>
)

const Deployment = ({ config }: { config: Config }) =>
  config.problem === null ? (
    <>
      <ul className="flex flex-col gap-3.5">
        {config.texts.map((text) => (
          <TextBlock key={text.title} text={text} />
        ))}
      </ul>
      <OmittedNote listed={config.texts.length} count={config.textCount ?? config.texts.length} />
    </>
  ) : (
    <p className="text-warn wrap-anywhere">{config.problem}</p>
  )

/** The same options for each deployment tool, one at a time. */
export const ConfigTabs = ({ configs }: { configs: readonly Config[] }) => (
  <Tabs
    label="Deployment"
    tabs={configs.map((config) => ({
      value: config.deployment,
      label: DEPLOYMENT_NAMES[config.deployment],
      content: <Deployment config={config} />,
    }))}
  />
)

/** Hosts drawn at first, and with each press more. */
const PAGE = 12

const Changes = ({ hosts, count }: Pick<TypeChangePreview, 'hosts'> & { count: number }) => {
  const { first, more } = useMoreRows(hosts, PAGE)
  return (
    <div className="mb-3">
      <ul className="flex flex-col gap-0.5">
        {first.map(({ host, configChanges }) =>
          configChanges === undefined ? null : (
            <li key={host} className="wrap-anywhere">
              <b className="font-semibold">{host}</b>{' '}
              <span className="text-ink2">
                {configChanges.length === 0 ? 'already has these options' : configChanges.join('; ')}
              </span>
            </li>
          ),
        )}
      </ul>
      {more}
      <OmittedNote listed={hosts.length} count={count} />
    </div>
  )
}

/**
 * The options in the format of each deployment tool, the likely one first. Shown in the preview of a type change and next
 * to its step that writes nova.conf.
 */
export const ConfigTexts = ({ change: { configs, hosts, totals } }: { change: TypeChangePreview }) => {
  const count = totals?.hosts ?? hosts.length
  return configs === undefined || configs.length === 0 ? null : (
    <Panel
      title="For your deployment"
      note={`nova.conf of ${formatNoun(count, 'host')} for deployment tools`}
    >
      <Changes hosts={hosts} count={count} />
      <ConfigTabs configs={configs} />
    </Panel>
  )
}
