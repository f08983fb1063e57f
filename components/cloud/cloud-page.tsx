'use client'

import { useQuery } from '@tanstack/react-query'
import { SubjectFindings } from '@/components/finding/subject-findings'
import { KeptTraitsPanel } from '@/components/kept-trait/kept-traits-panel'
import { LoadProblem } from '@/components/shell/load-problem'
import { PageHeader } from '@/components/shell/page-header'
import { SettingsNav } from '@/components/shell/settings-nav'
import { useCloud } from '@/components/shell/use-cloud'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { ABOUT_CLOUD } from './about-cloud'
import { ApiAliasesPanel } from './api-aliases-panel'
import { PartsPanel } from './parts-panel'
import { RoundPanel } from './round-panel'
import { ServicesPanel } from './services-panel'
import { StaleBanner } from './stale-banner'

const NotRead = ({ cloud }: { cloud: string }) => (
  <EmptyState title="No round has ended yet">
    The console reads Placement, Nova and Keystone of {cloud} round after round, once clouds.yaml names it
    with a service account: docs/operating.md says where the file is looked for and which roles the account
    needs. A minute after a start, with the file in place, the first round stands here; if it does not, the
    console’s log says why. Agents and everything that they report work without it.
  </EmptyState>
)

const Pending = () => (
  <div role="status" aria-label="Loading the cloud’s reading" className="flex flex-col gap-3">
    <Skeleton className="h-20" />
    <Skeleton className="h-36" />
    <Skeleton className="h-80" />
  </div>
)

const Reading = ({ reading, cloud }: { reading: CloudReadingDto; cloud: string | null }) => {
  if (reading.round === null)
    return (
      <div className="flex flex-col gap-3">
        <NotRead cloud={reading.cloud} />
        <ApiAliasesPanel cloud={cloud} />
      </div>
    )
  return (
    <>
      <StaleBanner isOwnPage />
      <RoundPanel round={reading.round} />
      <div className="flex flex-col gap-3">
        <ServicesPanel services={reading.services} />
        <SubjectFindings
          cloud={cloud}
          about={ABOUT_CLOUD}
          note="of the cloud, its limits, aggregates and traits"
        />
        <ApiAliasesPanel cloud={cloud} />
        <KeptTraitsPanel cloud={cloud} />
        <PartsPanel parts={reading.parts} />
      </div>
    </>
  )
}

/** Settings → Cloud: how OpenStack is read, what it costs and what is old. */
export const CloudPage = () => {
  const { cloud } = useCloud()
  const query = useQuery(cloudReadingOptions({ cloud }))
  const { data, error, isPending } = query
  return (
    <>
      <PageHeader
        title="Cloud"
        sub={
          data === undefined
            ? undefined
            : `${data.cloud}${data.region === null ? '' : `, ${data.region}`}, as the console reads it`
        }
      />
      <SettingsNav />
      <LoadProblem query={query} what="The cloud’s reading" />
      {isPending && error === null ? <Pending /> : null}
      {data === undefined ? null : <Reading reading={data} cloud={cloud} />}
    </>
  )
}
