import { PageTitle } from '@/components/shell/page-title'
import { SettingsNav } from '@/components/shell/settings-nav'
import { buttonStyle } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { Tag } from '@/components/ui/tag'
import type { ApiDescription } from '@/lib/schemas/api/api-description'
import { apiPaths } from '@/lib/util/paths'

type Operation = ApiDescription['areas'][number]['operations'][number]
type Field = Operation['fields'][number]

const FieldNames = ({ fields }: { fields: readonly Field[] }) => (
  <>
    {fields.map(({ name, isRequired }, index) => (
      <span key={name}>
        {index > 0 ? ', ' : null}
        <code>{name}</code>
        {isRequired ? null : <span className="text-ink3"> (optional)</span>}
      </span>
    ))}
  </>
)

const Details = ({ operation: { admission, fields, body, example } }: { operation: Operation }) => {
  const inPath = fields.filter(({ location }) => location === 'path')
  const inQuery = fields.filter(({ location }) => location === 'query')
  return (
    <div className="pt-1.5 pb-2 pl-4">
      <KeyValues>
        <KeyValue label="Access">{admission}</KeyValue>
        {inPath.length === 0 ? null : (
          <KeyValue label="Path parameters">
            <FieldNames fields={inPath} />
          </KeyValue>
        )}
        {inQuery.length === 0 ? null : (
          <KeyValue label="Query parameters">
            <FieldNames fields={inQuery} />
          </KeyValue>
        )}
      </KeyValues>
      <CommandLine command={example} />
      {body === null ? null : (
        <>
          <p className="mt-2 mb-1 text-ink2 text-small">JSON schema of the request body</p>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reached by keyboard (WCAG 2.1.1)
            tabIndex={0}
            className="m-0 max-h-80 overflow-auto rounded-control border border-line bg-bg p-2 font-mono text-small"
          >
            {body}
          </pre>
        </>
      )}
    </div>
  )
}

/** One operation in a line; expanded, it shows who may call it, its input, and the call from a shell. */
const OperationRow = ({ operation }: { operation: Operation }) => (
  <li className="border-line2 border-b last:border-b-0">
    <details className="group">
      <summary className="flex cursor-pointer list-none flex-wrap items-baseline gap-x-2.5 gap-y-0.5 py-1.5 marker:hidden hover:bg-line2">
        <span aria-hidden="true" className="text-ink3 group-open:rotate-90">
          ›
        </span>
        <Tag tone={operation.method === 'GET' ? 'quiet' : 'accent'}>{operation.method}</Tag>
        <code className="break-all">{operation.path}</code>
        <span className="text-ink2">{operation.summary}</span>
      </summary>
      <Details operation={operation} />
    </details>
  </li>
)

/** Settings → API: what a script may ask, area by area. */
export const ApiPage = ({ description }: { description: ApiDescription }) => (
  <>
    <PageTitle
      title="API"
      actions={
        <a href={apiPaths.openApi()} className={buttonStyle({ variant: 'plain' })}>
          openapi.json
        </a>
      }
    />
    <SettingsNav />
    <div className="flex flex-col gap-3.5">
      <Panel title="Get started">
        <p className="m-0 max-w-prose text-ink2">
          The API returns the data of these pages, for your cloud and with your role. Create an API token. Set
          TOKEN to the token and SLICEBOARD to the address of this console. An error has status 4xx, or 5xx
          with the time to wait; its message names the field, the value and the rule. Lists support ETags and
          return 304 if nothing has changed.
        </p>
        <CommandLine
          command={'curl --fail-with-body -H "Authorization: Bearer $TOKEN" "$SLICEBOARD/api/v1/overview"'}
        />
      </Panel>
      {description.areas.map(({ title, about, operations }) => (
        <Panel key={title} title={title} note={about}>
          <ul className="m-0 list-none p-0">
            {operations.map((operation) => (
              <OperationRow key={`${operation.method} ${operation.path}`} operation={operation} />
            ))}
          </ul>
        </Panel>
      ))}
      <p className="m-0 text-ink3 text-small">
        OpenAPI 3.1 of Sliceboard {description.version}, generated from the schemas that validate each
        request.
      </p>
    </div>
  </>
)
