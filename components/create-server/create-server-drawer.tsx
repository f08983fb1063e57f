'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useQueryStates } from 'nuqs'
import { useState } from 'react'
import { AvailabilityMark } from '@/components/catalog/availability-mark'
import { catalogSearchParams } from '@/components/catalog/catalog-search-params'
import { limitSentence, startSentence } from '@/components/catalog/catalog-text'
import type { OpenedFlavor } from '@/components/catalog/use-chosen-flavors'
import { type Loaded, LoadProblem } from '@/components/shell/load-problem'
import { Button, buttonStyle } from '@/components/ui/button'
import { useCopy } from '@/components/ui/copyable'
import { DetailsDrawer } from '@/components/ui/details-drawer'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { Tooltip } from '@/components/ui/tooltip'
import { newServerOptions, serverChoicesOptions } from '@/lib/api/create-server'
import { dashboardLink } from '@/lib/domain/create-server/dashboard-link'
import type { ServerSpec } from '@/lib/domain/create-server/server-texts'
import type { Catalog, CatalogFlavor } from '@/lib/schemas/api/catalog'
import type { CreatedServer, ServerChoices } from '@/lib/schemas/api/create-server'
import { classNames } from '@/lib/util/class-names'
import { ownServersPath } from '@/lib/util/paths'
import { AfterCreation } from './after-creation'
import { CreateNow } from './create-now'
import { DASHBOARD_NAMES, dashboardNote, newServerSentence } from './create-server-text'
import { type CommandForm, commandText, ServerCommands } from './server-commands'
import { ServerFields } from './server-fields'
import { useServerForm } from './use-server-form'

const COPY_LABELS: Readonly<Record<CommandForm, string>> = {
  cli: 'Copy command',
  terraform: 'Copy Terraform',
  heat: 'Copy template',
}

const CopyCommand = ({ shown, spec }: { shown: CommandForm; spec: ServerSpec }) => {
  const { isCopied, copy } = useCopy()
  return (
    <Button variant="main" onClick={() => void copy(commandText(shown, spec))}>
      {isCopied ? 'Copied' : COPY_LABELS[shown]}
    </Button>
  )
}

/** Reads the lists again, where one could not be read. */
const RetryChoices = ({ choices, retry }: { choices: ServerChoices; retry: Loaded }) =>
  Object.values(choices).every(({ items }) => items !== null) ? null : (
    <p>
      <Button isUnavailable={retry.isFetching} onClick={() => void retry.refetch()}>
        Refresh choices
      </Button>
    </p>
  )

const Dashboards = ({ dashboards, flavor }: { dashboards: Catalog['dashboards']; flavor: CatalogFlavor }) =>
  dashboards.map((dashboard) => (
    <Tooltip key={dashboard.url} content={dashboardNote(dashboard.kind, flavor.name)}>
      <a
        href={dashboardLink(dashboard, flavor.id).href}
        target="_blank"
        rel="noopener noreferrer"
        className={buttonStyle()}
      >
        Open {DASHBOARD_NAMES[dashboard.kind]}
      </a>
    </Tooltip>
  ))

const NewServer = ({ server: { uuid, name } }: { server: CreatedServer }) => {
  const { data } = useQuery(newServerOptions({ uuid }))
  return (
    <p role="status" className={classNames('w-full wrap-anywhere', data?.status === 'ERROR' && 'text-bad')}>
      {newServerSentence(name, data)}{' '}
      <Link href={ownServersPath()} prefetch={false} className="text-accent-ink underline">
        Open Servers
      </Link>
    </p>
  )
}

const ServerDrawer = ({
  dashboards,
  flavor,
  onClose,
}: {
  dashboards: Catalog['dashboards']
  flavor: CatalogFlavor
  onClose: () => void
}) => {
  const query = useQuery(serverChoicesOptions({ flavor: flavor.id }))
  const { data: choices } = query
  const form = useServerForm(flavor, choices)
  const [shown, setShown] = useState<CommandForm>('cli')
  const [created, setCreated] = useState<CreatedServer | null>(null)
  const notes = [limitSentence(flavor), startSentence(flavor)].filter((note) => note !== null)
  return (
    <DetailsDrawer
      title="Create server"
      above={flavor.name}
      actions={null}
      isInline={false}
      isFocusReturned
      onClose={onClose}
      foot={
        <>
          {created === null ? null : <NewServer key={created.uuid} server={created} />}
          <CopyCommand shown={shown} spec={form.spec} />
          <CreateNow form={form} choices={choices} onCreated={setCreated} />
          <Dashboards dashboards={dashboards} flavor={flavor} />
        </>
      }
    >
      <div className="grid gap-3">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <AvailabilityMark flavor={flavor} />
          <span className="min-w-0 flex-1 basis-60 text-ink2">{notes.join(' ')}</span>
        </p>
        <LoadProblem query={query} what="The choices" />
        <ServerFields flavor={flavor} choices={choices} form={form} />
        {choices === undefined ? null : (
          <>
            <RetryChoices choices={choices} retry={query} />
            <AfterCreation quota={choices.quota} price={flavor.pricePerHour} />
          </>
        )}
        <ServerCommands spec={form.spec} chosen={shown} onChoose={setShown} />
        <p className="text-ink2 text-small">
          Create the server now with your sign-in, or run the command with your own credentials.
        </p>
      </div>
    </DetailsDrawer>
  )
}

/** The form for a server of the flavor that the address names. */
export const CreateServerDrawer = ({
  dashboards,
  opened,
}: {
  dashboards: Catalog['dashboards']
  opened: OpenedFlavor
}) => {
  const [, setParams] = useQueryStates(catalogSearchParams)
  if (opened === null || opened === 'loading') return null
  const close = () => void setParams({ flavor: null })
  if (opened !== 'missing')
    return <ServerDrawer key={opened.id} dashboards={dashboards} flavor={opened} onClose={close} />
  return (
    <Dialog open onOpenChange={close}>
      <DialogContent
        title="Flavor not found"
        description="Your project cannot use this flavor. It may belong to another project or have been deleted. Switch the project, or ask the sender of the link."
      >
        {null}
      </DialogContent>
    </Dialog>
  )
}
