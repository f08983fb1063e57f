import { useQuery } from '@tanstack/react-query'
import { Moment } from '@/components/shell/moment'
import { useMoreRows } from '@/components/ui/more-rows'
import { Panel } from '@/components/ui/panel'
import { SideScroll } from '@/components/ui/side-scroll'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { refusedDemandOptions } from '@/lib/api/refused-demand'
import type { RefusedDemand, RefusedGroup } from '@/lib/schemas/api/refused-demand'
import { formatCount, formatNoun } from '@/lib/util/format'

const DAYS = 30
const FEW = 8

const REASONS: Readonly<Record<RefusedGroup['reason'], string>> = {
  'no-valid-host': 'no host could take it',
  'over-limit': 'over a limit',
  'build-failed': 'no host could start it',
}

const Groups = ({ groups }: Pick<RefusedDemand, 'groups'>) => {
  const { first, more } = useMoreRows(groups, FEW)
  return (
    <>
      <SideScroll>
        <Table aria-label="Refused servers">
          <thead>
            <tr>
              <Th>Flavor</Th>
              <Th>Project</Th>
              <Th>Why</Th>
              <Th isNumber>Servers</Th>
              <Th className="max-sm:hidden">Last</Th>
            </tr>
          </thead>
          <tbody>
            {first.map((group) => (
              <Tr key={`${group.flavorName} ${group.projectId} ${group.reason}`}>
                <Td className="break-words">{group.flavorName ?? 'unknown'}</Td>
                <Td className="wrap-anywhere">{group.projectName ?? group.projectId}</Td>
                <Td title={group.said} className="min-w-32">
                  {REASONS[group.reason]}
                </Td>
                <Td isNumber className="font-[550]">
                  {formatCount(group.servers)}
                </Td>
                <Td className="whitespace-nowrap text-ink2 max-sm:hidden">
                  <Moment at={group.lastAt} />
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

/** Who wanted a GPU lately and got none; nothing where nobody was refused, or it is not known. */
export const RefusedPanel = ({ cloud }: { cloud: string | null }) => {
  const { data } = useQuery(refusedDemandOptions({ cloud, days: DAYS }))
  if (data === undefined || data.servers === 0) return null
  return (
    <Panel
      className="mt-4"
      title="Refused"
      note={`${formatNoun(data.servers, 'server', 'servers')} with a GPU came to no host in the last ${DAYS} days, as far as this console looked`}
    >
      <Groups groups={data.groups} />
    </Panel>
  )
}
