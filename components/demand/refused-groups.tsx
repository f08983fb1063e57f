import { formatMinute } from '@/components/charts/chart-moments'
import { Moment } from '@/components/shell/moment'
import { useMoreRows } from '@/components/ui/more-rows'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { distinctLabels } from '@/lib/domain/history/distinct-labels'
import type { RefusedDemand } from '@/lib/schemas/api/refused-demand'
import { formatCount } from '@/lib/util/format'
import { REASON_LABELS } from './refused-labels'

const FEW = 8

const projectsOf = (groups: RefusedDemand['groups']): { key: string; label: string }[] => [
  ...new Map(
    groups.map(({ projectId, projectName }) => [
      projectId,
      { key: projectId, label: projectName ?? projectId },
    ]),
  ).values(),
]

/** Who was refused, the most refused first. */
export const RefusedGroups = ({
  groups,
  zone = null,
}: Pick<RefusedDemand, 'groups'> & {
  /** The time zone of the times, as in a chart; null: the reader's. */
  zone?: string | null
}) => {
  const { first, more } = useMoreRows(groups, FEW)
  const projects = distinctLabels(projectsOf(groups))
  return (
    <>
      <SideScroll>
        <Table aria-label="Refused servers">
          <thead>
            <tr>
              <Th>Flavor</Th>
              <Th>Project</Th>
              <Th>Reason</Th>
              <Th isNumber>Servers</Th>
              <Th className="max-sm:hidden">Last</Th>
            </tr>
          </thead>
          <tbody>
            {first.map((group) => (
              <Tr key={`${group.flavorName} ${group.projectId} ${group.reason}`}>
                <Td className="break-words">{group.flavorName ?? 'unknown'}</Td>
                <Td className="wrap-anywhere">{projects.get(group.projectId)}</Td>
                <Td title={group.message} className="min-w-32">
                  {REASON_LABELS[group.reason]}
                </Td>
                <Td isNumber className="font-[550]">
                  {formatCount(group.servers)}
                </Td>
                <Td className="whitespace-nowrap text-ink2 max-sm:hidden">
                  {zone === null ? (
                    <Moment at={group.lastAt} />
                  ) : (
                    formatMinute(Date.parse(group.lastAt), zone)
                  )}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </SideScroll>
      {more}
    </>
  )
}
