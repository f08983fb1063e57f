import { PageTitle } from '@/components/shell/page-title'
import { SettingsNav } from '@/components/shell/settings-nav'
import { buttonStyle } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { Panel } from '@/components/ui/panel'
import type { ApiDescription } from '@/lib/schemas/api/api-description'
import { apiPaths } from '@/lib/util/paths'
import { OperationRow } from './operation-row'

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
      <Panel title="Start here">
        <p className="m-0 max-w-prose text-ink2">
          Scripts get from the API what you get from these pages, with your role and for your cloud. Make a
          token under API tokens, put it into TOKEN and this console’s address into SLICEBOARD. A refusal is
          one sentence with the field, the value and the rule; its status is 4xx, or 5xx with the time to
          wait. Lists answer 304 to the ETag that they gave before.
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
        OpenAPI 3.1 of Sliceboard {description.version}, from the schemas that the routes check.
      </p>
    </div>
  </>
)
