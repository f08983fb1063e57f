'use client'

import { useQueryStates } from 'nuqs'
import { buttonStyle } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { type Tab, Tabs } from '@/components/ui/tabs'
import {
  dashboardLink,
  heatTemplate,
  openstackCommand,
  PLACEHOLDERS,
  terraformServer,
} from '@/lib/domain/catalog/launch-texts'
import { listText } from '@/lib/domain/wording'
import type { Catalog, CatalogFlavor } from '@/lib/schemas/api/catalog'
import { AvailabilityMark } from './availability-mark'
import { catalogSearchParams } from './catalog-search-params'
import { flavorTitle, formatDrivers, limitSentence, startSentence } from './catalog-text'

const NAMES = { horizon: 'Horizon', skyline: 'Skyline' } as const

const DashboardWay = ({
  dashboard,
  flavor,
}: {
  dashboard: Catalog['dashboards'][number]
  flavor: CatalogFlavor
}) => {
  const { href, isFilled } = dashboardLink(dashboard, flavor.id)
  const name = NAMES[dashboard.kind]
  return (
    <>
      <p className="mb-2 text-ink2">
        {isFilled
          ? `${name} opens the launch form with this flavor selected.`
          : `In ${name}, click Launch Instance and select the flavor ${flavor.name}. The link cannot select it for you.`}
      </p>
      <a href={href} target="_blank" rel="noopener noreferrer" className={buttonStyle()}>
        Open {name}
      </a>
    </>
  )
}

const waysOf = ({ dashboards }: Catalog, flavor: CatalogFlavor): Tab[] => [
  { value: 'cli', label: 'openstack', content: <CommandLine command={openstackCommand(flavor.name)} /> },
  { value: 'terraform', label: 'Terraform', content: <CommandLine command={terraformServer(flavor.name)} /> },
  { value: 'heat', label: 'Heat', content: <CommandLine command={heatTemplate(flavor.name)} /> },
  ...dashboards.map((dashboard) => ({
    value: dashboard.url,
    label: NAMES[dashboard.kind],
    content: <DashboardWay dashboard={dashboard} flavor={flavor} />,
  })),
]

const HowTo = ({ catalog, flavor }: { catalog: Catalog; flavor: CatalogFlavor }) => {
  const notes = [limitSentence(flavor), startSentence(flavor)].filter((note) => note !== null)
  const driver = formatDrivers(flavor)
  return (
    <>
      <p className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <AvailabilityMark flavor={flavor} />
        <span className="min-w-0 flex-1 basis-60 text-ink2">{notes.join(' ')}</span>
      </p>
      <Tabs label="Ways to create the server" tabs={waysOf(catalog, flavor)} />
      <p className="mt-2 text-ink2 text-small">
        Replace {listText(PLACEHOLDERS)} with your own values.{' '}
        {driver === null
          ? 'The image needs the guest driver of the card.'
          : `The image needs the NVIDIA guest driver of ${driver}.`}
      </p>
    </>
  )
}

/** How to start a server of the flavor that the address names. */
export const GetDialog = ({ catalog }: { catalog: Catalog }) => {
  const [{ flavor: id }, setParams] = useQueryStates(catalogSearchParams)
  if (id === null) return null
  const flavor = catalog.flavors.find((one) => one.id === id)
  return (
    <Dialog open onOpenChange={() => void setParams({ flavor: null })}>
      {flavor === undefined ? (
        <DialogContent
          title="Flavor not found"
          description="Your project cannot use this flavor. It may belong to another project or have been deleted. Switch the project, or ask the sender of the link."
        >
          {null}
        </DialogContent>
      ) : (
        <DialogContent
          title={`Create a server with ${flavor.name}`}
          description={flavorTitle(flavor)}
          width="wide"
        >
          <HowTo catalog={catalog} flavor={flavor} />
        </DialogContent>
      )}
    </Dialog>
  )
}
