'use client'

import { useQuery } from '@tanstack/react-query'
import { SubjectFindings } from '@/components/finding/subject-findings'
import { ManagedTraitsPanel } from '@/components/managed-trait/managed-traits-panel'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { SettingsNav } from '@/components/shell/settings-nav'
import { useCloud } from '@/components/shell/use-cloud'
import { Unknown } from '@/components/ui/key-values'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Skeleton } from '@/components/ui/skeleton'
import { Stat, StatStrip } from '@/components/ui/stat'
import { EmptyState } from '@/components/ui/states'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { cloudReadingOptions } from '@/lib/api/cloud-reading'
import type { CloudReadingDto } from '@/lib/schemas/api/cloud-reading'
import { formatCount } from '@/lib/util/format'
import { isIncomplete } from '@/lib/util/is-incomplete'
import { ABOUT_CLOUD } from './about-cloud'
import { ApiAliasesPanel } from './api-aliases-panel'
import { partLabel, partService, SERVICE_LABELS } from './part-label'
import { StaleBanner } from './stale-banner'

type Part = CloudReadingDto['parts'][number]

const begin = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const stateOf = (part: Part): { word: string; tone: 'accent' | 'warn' | 'bad' | 'quiet' } => {
  const { error, at } = part
  if (isIncomplete(part)) return { word: 'incomplete', tone: 'warn' }
  if (error !== null) return at === null ? { word: 'never read', tone: 'bad' } : { word: 'old', tone: 'warn' }
  return at === null ? { word: 'not read yet', tone: 'quiet' } : { word: 'fresh', tone: 'accent' }
}

/** Read, but incomplete: the account may not see the limits of other projects. */
const isPartial = ({ part, items, at }: Part): boolean => part === 'limits' && items === null && at !== null

const PartialNote = () => (
  <span className="text-ink2">
    Limits of other projects are unknown: the service account has no role on the system.{' '}
    <code className="font-mono text-small">openstack role add --user NAME --system all reader</code>
  </span>
)

const PartRow = ({ part }: { part: Part }) => {
  const service = partService(part.part)
  const { word, tone } = stateOf(part)
  return (
    <Tr>
      <Td className="whitespace-nowrap">
        {begin(partLabel(part.part))}
        {service === null ? null : (
          <span className="ml-1.5 text-ink3 text-small">{SERVICE_LABELS[service]}</span>
        )}
      </Td>
      <Td>
        <Tag tone={tone}>{word}</Tag>
      </Td>
      <Td isNumber>
        {part.items === null ? (
          <Unknown reason={isPartial(part) ? 'the limits of other projects cannot be read' : 'never read'} />
        ) : (
          formatCount(part.items)
        )}
      </Td>
      <Td>
        <Moment at={part.at} />
      </Td>
      <Td className="min-w-64 max-w-[60ch]">
        {part.error === null ? (
          isPartial(part) && <PartialNote />
        ) : (
          <>
            <span className="break-words">{part.error}</span>{' '}
            {part.failingSince === null ? null : (
              <span className="text-ink3 text-small">
                since <Moment at={part.failingSince} />
              </span>
            )}
          </>
        )}
      </Td>
    </Tr>
  )
}

/** The lists from OpenStack, with their age. */
const PartsPanel = ({ parts }: { parts: readonly Part[] }) => (
  <Panel title="Data from OpenStack" note="time of the last successful read">
    <SideScroll className="-mb-3">
      <Table>
        <thead>
          <tr>
            <Th>List</Th>
            <Th>State</Th>
            <Th isNumber>Items</Th>
            <Th>Last read</Th>
            <Th>Error</Th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <PartRow key={part.part} part={part} />
          ))}
        </tbody>
      </Table>
    </SideScroll>
  </Panel>
)

/** `8 ms`, `1.3 s`, `75 s`. */
export const formatMs = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  return `${formatCount(seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds))} s`
}

type Service = CloudReadingDto['services'][number]

const ServiceRow = ({ service }: { service: Service }) => (
  <Tr>
    <Td className="whitespace-nowrap font-[550]">{SERVICE_LABELS[service.service]}</Td>
    <Td>
      {service.error === null ? (
        <Tag tone={service.requests === 0 ? 'quiet' : 'accent'}>
          {service.requests === 0 ? 'not queried' : 'available'}
        </Tag>
      ) : (
        <Tag tone="bad">failed</Tag>
      )}
    </Td>
    <Td className="font-mono text-small">
      {service.version ?? (
        <Unknown
          reason={
            service.service === 'neutron'
              ? "Neutron's API has no microversions"
              : 'the version has not been read yet'
          }
        />
      )}
    </Td>
    <Td isNumber>{formatCount(service.requests)}</Td>
    <Td isNumber className="whitespace-nowrap">
      {formatMs(service.ms)}
    </Td>
    <Td className="min-w-64 max-w-[60ch]">
      {service.lastError === null ? (
        <span className="text-ink3">none</span>
      ) : (
        <>
          <span className="break-words">{service.lastError}</span>{' '}
          <span className="text-ink3 text-small">
            <Moment at={service.lastErrorAt} />
          </span>
        </>
      )}
    </Td>
  </Tr>
)

/** The requests and duration of each service in the last round, and its last error. */
const ServicesPanel = ({ services }: { services: readonly Service[] }) => (
  <Panel title="Services" note="in the last reading round">
    <SideScroll className="-mb-3">
      <Table>
        <thead>
          <tr>
            <Th>Service</Th>
            <Th>State</Th>
            <Th>API version</Th>
            <Th isNumber>Requests</Th>
            <Th isNumber>Time</Th>
            <Th>Last error</Th>
          </tr>
        </thead>
        <tbody>
          {services.map((service) => (
            <ServiceRow key={service.service} service={service} />
          ))}
        </tbody>
      </Table>
    </SideScroll>
  </Panel>
)

type Round = NonNullable<CloudReadingDto['round']>

/** The last round in figures. */
const RoundPanel = ({ round }: { round: Round }) => (
  <>
    <StatStrip label="Last reading round">
      <Stat
        label="Round"
        value={formatCount(round.number)}
        note={
          <>
            started <Moment at={round.startedAt} />
          </>
        }
      />
      <Stat label="Duration" value={formatMs(round.tookMs)} />
      <Stat label="Requests" value={formatCount(round.requests)} note="to all services" />
      <Stat
        label="Deferred"
        value={formatCount(round.waitingRequests)}
        tone={round.waitingRequests > 0 ? 'warn' : 'plain'}
        note={
          round.waitingRequests === 0 ? 'no requests deferred' : 'deferred to later rounds by the rate limit'
        }
      />
    </StatStrip>
    {round.notes.length === 0 ? null : (
      <ul aria-label="Notes on the round" className="mb-3 flex list-disc flex-col gap-0.5 pl-4 text-ink2">
        {round.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    )}
  </>
)

const NotRead = ({ cloud }: { cloud: string }) => (
  <EmptyState title="OpenStack has not been read yet">
    The console reads Placement, Nova and Keystone of {cloud} periodically if clouds.yaml contains a service
    account. See docs/operating.md for the location of the file and the roles of the account. The first
    reading round appears within a minute after the start. Otherwise, check the console’s log. Agents report
    without a connection to OpenStack.
  </EmptyState>
)

const Pending = () => (
  <div role="status" aria-label="Loading the cloud status" className="flex flex-col gap-3">
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
        <ManagedTraitsPanel cloud={cloud} />
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
            : `${data.cloud}${data.region === null ? '' : `, ${data.region}`}, as read by the console`
        }
      />
      <SettingsNav />
      <LoadProblem query={query} what="The cloud status" />
      {isPending && error === null ? <Pending /> : null}
      {data === undefined ? null : <Reading reading={data} cloud={cloud} />}
    </>
  )
}
