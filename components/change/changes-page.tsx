'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { UnknownNote } from '@/components/cloud/unknown-note'
import { LoadProblem } from '@/components/shell/load-problem'
import { Moment } from '@/components/shell/moment'
import { PageHeader } from '@/components/shell/page-header'
import { TimedText } from '@/components/shell/timed-text'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { MoreRows } from '@/components/ui/more-rows'
import { SkeletonRows } from '@/components/ui/skeleton'
import { EmptyState } from '@/components/ui/states'
import { Table, TablePanel, Td, Th, Tr } from '@/components/ui/table'
import { Tag } from '@/components/ui/tag'
import { changePagesOptions } from '@/lib/api/changes'
import { isActiveChange } from '@/lib/domain/plans/change-states'
import { actorWords } from '@/lib/domain/wording'
import type { ListedChange } from '@/lib/schemas/api/change'
import { formatNoun } from '@/lib/util/format'
import { changePath, gpusPath, newOrphansPath } from '@/lib/util/paths'
import { CHANGE_STATE_TAGS, progressWords } from './change-words'

const FirstUse = ({ cloud }: { cloud: string | null }) => (
  <EmptyState
    title="Nothing has been changed yet"
    action={
      <Link href={gpusPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
        Choose pGPUs
      </Link>
    }
  >
    A change begins with a plan: select pGPUs and press “Change type” or “Tag with traits”, build a flavor, or
    change limits. Nothing is written before you have seen every step and pressed Start.
  </EmptyState>
)

/** Those of flavors and limits have none, and a fence may keep room on a host without naming any. */
const isOfPgpus = ({ kind, pgpuCount }: ListedChange): boolean =>
  kind !== 'flavor' && kind !== 'limits' && (kind !== 'fence' || pgpuCount !== 0)

const ChangeRow = ({ change, cloud }: { change: ListedChange; cloud: string | null }) => {
  const { word, tone } = CHANGE_STATE_TAGS[change.state]
  const who = actorWords(change.runBy ?? change.madeBy)
  const at = change.endedAt ?? change.startedAt ?? change.madeAt
  return (
    <Tr className="max-md:align-top">
      <Td className="text-ink3 tabular-nums max-md:hidden">{change.id}</Td>
      <Td className="md:min-w-56">
        <Link
          href={changePath({ cloud, id: change.id })}
          className="font-[550] text-accent-ink hover:underline"
        >
          {change.title}
        </Link>
        {change.trouble === null ? null : (
          <p className="max-w-[70ch] text-small text-warn wrap-anywhere">
            <TimedText text={change.trouble} isWhole />
          </p>
        )}
        <p className="text-ink2 text-small wrap-anywhere md:hidden">
          {[
            `No. ${change.id}`,
            progressWords(change),
            ...(isOfPgpus(change)
              ? [change.pgpuCount === null ? 'unknown number of pGPUs' : formatNoun(change.pgpuCount, 'pGPU')]
              : []),
            who,
          ].join(', ')}
          , <Moment at={at} />
        </p>
      </Td>
      <Td className="whitespace-nowrap">
        <Tag tone={tone}>{word}</Tag>
      </Td>
      <Td className="whitespace-nowrap text-ink2 max-md:hidden">{progressWords(change)}</Td>
      <Td isNumber className="max-md:hidden">
        {isOfPgpus(change)
          ? (change.pgpuCount ?? <UnknownNote reason="The preview of this change cannot be read." />)
          : null}
      </Td>
      <Td className="whitespace-nowrap max-md:hidden">{who}</Td>
      <Td className="text-ink2 max-md:hidden">
        <Moment at={at} />
      </Td>
    </Tr>
  )
}

const List = ({ changes, cloud }: { changes: ListedChange[]; cloud: string | null }) => (
  <TablePanel>
    <Table>
      <thead>
        <tr>
          <Th className="max-md:hidden">No.</Th>
          <Th>Change</Th>
          <Th>State</Th>
          <Th className="max-md:hidden">Progress</Th>
          <Th isNumber className="max-md:hidden">
            pGPUs
          </Th>
          <Th className="max-md:hidden">Who</Th>
          <Th className="max-md:hidden">When</Th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <ChangeRow key={change.id} change={change} cloud={cloud} />
        ))}
      </tbody>
    </Table>
  </TablePanel>
)

/** Every change of a cloud, the active ones first. */
export const ChangesPage = () => {
  const { cloud } = useCloud()
  const query = useInfiniteQuery(changePagesOptions({ cloud }))
  const { data, error, isPending } = query
  const changes = data?.pages.flatMap((page) => page.changes) ?? []
  const active = changes.filter(({ state }) => isActiveChange(state)).length
  return (
    <>
      <PageHeader
        title="Changes"
        sub={
          data === undefined
            ? undefined
            : active === 0
              ? 'No active changes'
              : formatNoun(active, 'active change')
        }
        actions={
          <Link href={newOrphansPath({ cloud })} className={buttonStyle({})}>
            Remove orphan mdevs
          </Link>
        }
      />
      <LoadProblem query={query} what="The changes" />
      {isPending && error === null ? <SkeletonRows rows={8} label="Changes on their way" /> : null}
      {data !== undefined && changes.length === 0 ? <FirstUse cloud={cloud} /> : null}
      {changes.length === 0 ? null : <List changes={changes} cloud={cloud} />}
      <MoreRows
        shown={changes.length}
        total={data?.pages[0]?.total ?? 0}
        onMore={query.hasNextPage ? () => void query.fetchNextPage() : null}
      />
    </>
  )
}
