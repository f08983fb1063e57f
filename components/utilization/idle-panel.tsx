'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsNumberLiteral, useQueryState } from 'nuqs'
import { dayOf, GROUP_LABELS } from '@/components/capacity/capacity-labels'
import { type CapacityView, marksQuestion } from '@/components/capacity/use-capacity-view'
import { LoadProblem } from '@/components/shell/load-problem'
import { buttonStyle } from '@/components/ui/button'
import { ChoiceChip } from '@/components/ui/choice-chip'
import { Unknown } from '@/components/ui/key-values'
import { useMoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { idleVgpusOptions } from '@/lib/api/utilization'
import type { IdleVgpu, IdleVgpus, UnmeasuredReason } from '@/lib/schemas/api/utilization'
import { formatAge, formatCount, formatMib, formatNoun, formatPercent } from '@/lib/util/format'
import { apiPaths, capacityPath, gpuPath, hostPath, typePath } from '@/lib/util/paths'

const FEW = 20
const LINK = 'text-accent-ink hover:underline'

const MAX_HOSTS = 3

/** `before on cmp-1, cmp-2`; null: it was seen nowhere else since it is idle. */
const beforeText = ({ hosts }: IdleVgpu): string | null => {
  const before = hosts.slice(0, -1)
  if (before.length === 0) return null
  const more = before.length > MAX_HOSTS ? ` and ${before.length - MAX_HOSTS} more` : ''
  return `before on ${before.slice(-MAX_HOSTS).join(', ')}${more}`
}

const Row = ({ vgpu, cloud, asOf }: { vgpu: IdleVgpu; cloud: string | null; asOf: string }) => {
  const { host, address, project, projectId, usedMib, since, seenShare } = vgpu
  const name = project ?? projectId
  const before = beforeText(vgpu)
  const idleFor = formatAge((Date.parse(asOf) - Date.parse(since)) / 1000)
  return (
    <Tr>
      <Td className="whitespace-nowrap" title={`no sample above it since ${since}`}>
        {idleFor} <span className="block text-ink2 text-small">since {dayOf(since)}</span>
      </Td>
      <Td className="min-w-28 break-words">
        <Link href={hostPath({ cloud, host })} className={LINK} title={vgpu.guest}>
          {vgpu.server}
        </Link>
        {vgpu.flavor === null ? null : <span className="block text-ink2 text-small">{vgpu.flavor}</span>}
      </Td>
      <Td className="wrap-anywhere">
        {name === null || projectId === null ? (
          <Unknown reason="not reported by the server" />
        ) : (
          <Link href={capacityPath({ cloud, search: { by: 'project', key: projectId } })} className={LINK}>
            {name}
          </Link>
        )}
        {vgpu.user === null ? null : <span className="block text-ink2 text-small">{vgpu.user}</span>}
      </Td>
      <Td className="whitespace-nowrap">
        <Link href={typePath({ cloud, type: vgpu.typeId })} className={LINK}>
          {vgpu.type}
        </Link>
      </Td>
      <Td className="whitespace-nowrap">
        <Link href={gpuPath({ cloud, host, address })} className={LINK}>
          {host} <span className="font-mono text-small">{address}</span>
        </Link>
        {before === null ? null : (
          <span
            className="block text-ink2 text-small"
            title={`idle on all of these since then: ${vgpu.hosts.join(', ')}`}
          >
            {before}
          </span>
        )}
      </Td>
      <Td isNumber className="whitespace-nowrap">
        {usedMib === null ? <Unknown reason="not measured" /> : formatMib(usedMib)}
      </Td>
      <Td isNumber className="whitespace-nowrap">
        {formatPercent(seenShare, 1)}
      </Td>
    </Tr>
  )
}

/** The idle vGPUs, those that are idle longest first. */
const IdleTable = ({
  idle,
  cloud,
  asOf,
}: {
  idle: readonly IdleVgpu[]
  cloud: string | null
  asOf: string
}) => {
  const { first, more } = useMoreRows(idle, FEW)
  return (
    <>
      <SideScroll>
        <Table aria-label="Idle vGPUs">
          <thead>
            <tr>
              <Th>Idle for</Th>
              <Th>Server</Th>
              <Th>Project and user</Th>
              <Th>Type</Th>
              <Th>pGPU</Th>
              <Th isNumber>Framebuffer used</Th>
              <Th isNumber title="Part of the time since then with samples">
                Measured
              </Th>
            </tr>
          </thead>
          <tbody>
            {first.map((vgpu) => (
              <Row
                key={`${vgpu.host} ${vgpu.address} ${vgpu.vgpu} ${vgpu.guest}`}
                vgpu={vgpu}
                cloud={cloud}
                asOf={asOf}
              />
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
    </>
  )
}

const DAYS = [7, 14, 30, 60] as const

const REASONS: Readonly<Record<UnmeasuredReason, string>> = {
  'not-measured': 'not measured yet (MIG, a shut-off server or an agent without samples)',
  'not-lately': 'not measured recently',
  gaps: 'samples for less than half of the time',
  'too-short': 'on hosts with a shorter measurement period',
}

const unmeasuredText = ({ unmeasured, unmeasuredCount }: IdleVgpus): string => {
  const reasons = [...new Set(unmeasured.map(({ reason }) => reason))].map((reason) => REASONS[reason])
  return `Unknown for ${formatNoun(unmeasuredCount, 'vGPU', 'vGPUs')}: ${reasons.join('; ')}.`
}

const Found = ({ data, cloud }: { data: IdleVgpus; cloud: string | null }) => (
  <>
    {data.idleCount === 0 ? (
      <p className="text-ink2">
        {data.held === 0
          ? 'No server is known to use a vGPU.'
          : `None of the ${formatNoun(data.held, 'vGPU', 'vGPUs')} of servers was idle for this long.`}
      </p>
    ) : (
      <IdleTable idle={data.idle} cloud={cloud} asOf={data.asOf} />
    )}
    {data.unmeasuredCount === 0 ? null : <p className="mt-2 text-ink2 text-small">{unmeasuredText(data)}</p>}
  </>
)

/** Of what and as of when, where it is not the whole cloud now. */
const partLabel = ({ host, address, chosen, by, isFixed }: CapacityView, { asOf }: IdleVgpus): string => {
  const of =
    host !== null
      ? ` on ${address === null ? host : `${host} ${address}`}`
      : chosen === null
        ? ''
        : ` of this ${GROUP_LABELS[by].noun}`
  return `${of}${isFixed ? `, as of ${dayOf(asOf)}` : ''}`
}

/** vGPUs that servers have and did not use for days, with their owners: of the selected subject. */
export const IdlePanel = ({ view }: { view: CapacityView }) => {
  const { cloud } = view
  const [days, setDays] = useQueryState('idle', parseAsNumberLiteral(DAYS).withDefault(14))
  const question = { days, ...marksQuestion(view), until: view.isFixed ? view.range.until : null }
  const query = useQuery(idleVgpusOptions(question))
  const { data } = query
  const note =
    data === undefined || data.held === 0
      ? undefined
      : `${formatCount(data.idleCount)} of ${formatNoun(data.held, 'vGPU', 'vGPUs')} never above ${data.thresholdPercent} % for ${data.days} days or more${partLabel(view, data)}`
  return (
    <Panel
      className="mb-3.5"
      title="Allocated but idle"
      note={note}
      actions={
        <div className="flex flex-wrap gap-2">
          <ChoiceChip
            label="Idle for"
            isMultiple={false}
            choices={DAYS.map((each) => ({ value: String(each), label: `${each} days` }))}
            chosen={[String(days)]}
            onChoose={([value]) => void setDays(DAYS.find((each) => String(each) === value) ?? 14)}
          />
          <a href={apiPaths.idleVgpusExport(question)} download className={buttonStyle({ size: 'small' })}>
            CSV
          </a>
        </div>
      }
    >
      <LoadProblem query={query} what="The idle vGPUs" />
      {data === undefined ? (
        query.error === null ? (
          <SkeletonRows rows={4} label="Loading the idle vGPUs" />
        ) : null
      ) : (
        <Found data={data} cloud={cloud} />
      )}
    </Panel>
  )
}
